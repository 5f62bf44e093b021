/** What clause E1 counts, the slow and obvious way: the texts that a model can see of each block, and one byte a block. */
export function countVisibleBytes(content: readonly unknown[]): number {
  return content
    .map((block) => visibleTexts(block).reduce((bytes, text) => bytes + Buffer.byteLength(text), 1))
    .reduce((sum, bytes) => sum + bytes, 0);
}

interface AnyBlock {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly name?: unknown;
  readonly title?: unknown;
  readonly uri?: unknown;
  readonly description?: unknown;
  readonly resource?: { readonly uri?: unknown; readonly text?: unknown; readonly blob?: unknown };
}

function visibleTexts(block: unknown): readonly string[] {
  const { type, text, data, mimeType, name, title, uri, description, resource } = (block ?? {}) as AnyBlock;
  if (type === "text" && typeof text === "string") return [text];
  if (type === "image" || type === "audio") return String(mimeType).startsWith(`${type}/`) ? [] : [String(data)];
  if (type === "resource" && resource !== undefined) {
    return [resource.uri, resource.text ?? resource.blob].map(String);
  }
  if (type === "resource_link") return [name, title ?? "", uri, description ?? ""].map(String);
  return [JSON.stringify(block) ?? "null"];
}
