/** Markup that is safe to put into a page as it is. Only {@link html} makes it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

type Part = string | number | Html | readonly Html[];

/** Puts values into markup. Whatever is not made here is text, and is escaped: file names and models may say anything. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(literals.reduce((markup, literal, place) => markup + render(parts[place - 1]) + literal));
}

function render(part: Part | undefined): string {
  if (part === undefined) return "";
  if (part instanceof Html) return String(part);
  if (typeof part === "object") return part.join("");
  return String(part)
    .toWellFormed()
    .replace(/[&<>"']/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
