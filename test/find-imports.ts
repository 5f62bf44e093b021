import { type ESTree, Visitor } from "vite";
import type { SourceFile } from "./source-file.js";

/** What a file takes from another module: the names on the other side, or all of it. */
export interface Import {
  readonly specifier: string;
  readonly names: readonly string[] | "all";
}

/** Every import, re-export, dynamic import and `import("…")` type. A specifier that is computed stands as its code. */
export function findImports(source: SourceFile): readonly Import[] {
  const imports: Import[] = [];
  const add = (from: ESTree.Expression | ESTree.StringLiteral, names: Import["names"]) => {
    const specifier = from.type === "Literal" ? String(from.value) : source.text.slice(from.start, from.end);
    imports.push({ specifier, names });
  };
  new Visitor({
    ImportDeclaration: (node) => {
      const whole = node.specifiers.some(({ type }) => type === "ImportNamespaceSpecifier");
      add(node.source, whole ? "all" : node.specifiers.flatMap(importedName));
    },
    ExportNamedDeclaration: (node) => {
      if (node.source !== null)
        add(
          node.source,
          node.specifiers.map(({ local }) => nameOf(local)),
        );
    },
    ExportAllDeclaration: (node) => add(node.source, "all"),
    ImportExpression: (node) => add(node.source, "all"),
    TSImportType: (node) => add(node.source, "all"),
  }).visit(source.program);
  return imports;
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): readonly string[] {
  return specifier.type === "ImportSpecifier" ? [nameOf(specifier.imported)] : ["default"];
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}
