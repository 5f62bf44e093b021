import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { corpus } from "@pod/test-harness/laws";

/** Texts of one kind: each call gives another, in every run the same ones. */
export interface TextKind {
  readonly name: string;
  readonly next: () => string;
}

/** More than a cap of 5,000 tokens lets pass, at four bytes a token. */
const TEXT_UNITS = 24_000;
const TEXTS_OF_ONE = 4;

/** The shapes of the harness's corpus. */
export function corpusKinds(textsPerKind: number): readonly TextKind[] {
  const texts = new Map<string, string[]>();
  for (let seed = 0; seed * TEXTS_OF_ONE < textsPerKind; seed++) {
    for (const { name, text } of corpus(seed)) {
      const slices = Array.from({ length: TEXTS_OF_ONE }, (_, at) => slice(text, at * TEXT_UNITS));
      texts.set(name, [...(texts.get(name) ?? []), ...slices]);
    }
  }
  return Array.from(texts, ([name, slices]) => ({ name, next: () => slices.shift() ?? "" }));
}

/** Parts of real files, from what the lock file has installed, and the list of their paths. */
export function fileKinds(): readonly TextKind[] {
  const root = fileURLToPath(new URL("../node_modules/.pnpm", import.meta.url));
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const list = paths.join("\n").replaceAll(root, () => "node_modules/.pnpm");
  const kinds = Object.entries(ENDINGS).map(([name, ending]) => ({
    name,
    files: paths.filter((path) => ending.test(path) && hasSize(path)),
  }));
  const any = { name: "any of these files", files: kinds.flatMap(({ files }) => files) };
  return [
    { name: "paths of real files", next: partsOf(() => list, createRandom(1)) },
    ...[...kinds, any].map(({ name, files }, index) => {
      const random = createRandom(index + 2);
      return { name, next: partsOf(() => readFileSync(files[random(files.length)] ?? "", "utf8"), random) };
    }),
  ];
}

const ENDINGS = {
  "JavaScript files": /(?<!\.min)\.[cm]?js$/,
  "TypeScript files": /\.ts$/,
  "Markdown files": /\.md$/,
  "JSON files": /\.json$/,
  "source maps": /\.map$/,
};

function hasSize(path: string): boolean {
  const { size } = statSync(path);
  return size >= 30_000 && size <= 3_000_000;
}

function partsOf(readText: () => string, random: (below: number) => number): () => string {
  return () => {
    const text = readText();
    return slice(text, random(Math.max(1, text.length - TEXT_UNITS)));
  };
}

function slice(text: string, from: number): string {
  return text.slice(from, from + TEXT_UNITS).toWellFormed();
}

function createRandom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 0x9e37_79b9);
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
