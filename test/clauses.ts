import { type ESTree, Visitor } from "vite";
import type { SourceFile } from "./source-file.js";

/** A clause of docs/spec.md. `later`: planned for another issue, so that nothing has to prove it yet. */
export interface Clause {
  readonly id: string;
  readonly later: boolean;
}

/** Reads the headings `### C1 Title` and `### M6 Title (later)`. */
export function readClauses(spec: string): readonly Clause[] {
  const headings = spec.matchAll(/^### ([A-Z]\d+) (.+)$/gm);
  return Array.from(headings, ([, id = "", title = ""]) => ({ id, later: title.endsWith("(later)") }));
}

/** The titles of the tests that run: first arguments of `it`, `test` and `describe`, `it.each(…)` included. */
export function findTitles(source: SourceFile): readonly string[] {
  const titles: string[] = [];
  new Visitor({
    CallExpression(call) {
      if (!isTestFunction(call.callee)) return;
      const title = call.arguments[0];
      if (title?.type === "Literal" && typeof title.value === "string") titles.push(title.value);
      if (title?.type === "TemplateLiteral") titles.push(title.quasis.map((part) => part.value.cooked).join("…"));
    },
  }).visit(source.program);
  return titles;
}

/** The clauses that a title begins with: `C5 C10: …` cites two, and a title without a clause none. */
export function citedClauses(title: string): readonly string[] {
  const citation = /^([A-Z]\d+(?:[ ,]+[A-Z]\d+)*):/.exec(title)?.[1];
  return citation === undefined ? [] : citation.split(/[ ,]+/);
}

/** What is wrong between a specification and its tests, one line a fault. */
export function checkCitations(clauses: readonly Clause[], sources: readonly SourceFile[]): readonly string[] {
  const known = new Set(clauses.map((clause) => clause.id));
  const cited = new Set<string>();
  const faults: string[] = [];
  for (const source of sources) {
    for (const title of findTitles(source)) {
      for (const id of citedClauses(title)) {
        cited.add(id);
        if (!known.has(id)) faults.push(`${source.path}: "${title}" cites ${id}, which docs/spec.md does not have`);
      }
    }
  }
  for (const { id, later } of clauses) {
    if (!later && !cited.has(id)) faults.push(`${id} is cited by no test title. Write: it("${id}: …")`);
  }
  return faults;
}

// A skipped test proves nothing, so `it.skip` and `it.todo` are not test functions.
function isTestFunction(callee: ESTree.Expression): boolean {
  if (callee.type === "Identifier") return ["it", "test", "describe"].includes(callee.name);
  if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression") {
    return isTestFunction(callee.type === "CallExpression" ? callee.callee : callee.tag);
  }
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false;
  return ["each", "for", "concurrent", "sequential"].includes(callee.property.name) && isTestFunction(callee.object);
}
