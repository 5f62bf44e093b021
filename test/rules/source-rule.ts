import { Visitor, type VisitorObject } from "vite";
import type { SourceFile } from "../source-file.js";

/** A rule of the house about one file. `broken` are samples that it must catch, `kept` ones that it must leave alone. */
export interface SourceRule {
  readonly name: string;
  readonly applies: (path: string) => boolean;
  /** What breaks the rule, as the reader would search for it. */
  readonly find: (source: SourceFile) => readonly string[];
  readonly broken: readonly Sample[];
  readonly kept: readonly Sample[];
}

type Sample = readonly [path: string, text: string];

export function inSource(path: string): boolean {
  return /^(packages|apps)\/[^/]+\/src\//.test(path);
}

export function inPackageSource(path: string): boolean {
  return /^packages\/[^/]+\/src\//.test(path);
}

export function anywhere(): boolean {
  return true;
}

export function visit(source: SourceFile, visitor: VisitorObject): void {
  new Visitor(visitor).visit(source.program);
}
