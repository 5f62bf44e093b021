import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import taplo, { type RpcMessage } from "@taplo/lsp";

/** What an editor underlines: the message, and the line from 1. */
export interface EditorDiagnostic {
  readonly message: string;
  readonly line: number;
}

/**
 * Opens texts in the language server that editors use for TOML, each with the schema that its first line names, and
 * gives what it says of each. No network, no other file.
 */
export async function openInEditor(texts: readonly string[]): Promise<readonly (readonly EditorDiagnostic[])[]> {
  const documents = texts.map((text) => createDocument(text));
  const server = await taplo.TaploLsp.initialize(ENVIRONMENT, { onMessage });

  function onMessage(message: RpcMessage): void {
    if (message.id === "initialize" && message.result !== undefined) notify("initialized", {});
    if (message.method === "workspace/configuration" && message.id !== undefined) {
      server.send({ jsonrpc: "2.0", id: message.id, result: message.params.items.map(() => CONFIGURATION) });
      documents.forEach(({ text }, index) => {
        notify("textDocument/didOpen", { textDocument: { uri: toUri(index), languageId: "toml", version: 1, text } });
      });
    }
    if (message.method === "textDocument/publishDiagnostics") {
      documents.find((_document, index) => toUri(index) === message.params.uri)?.receive(message.params.diagnostics);
    }
  }

  function notify(method: string, params: object): void {
    server.send({ jsonrpc: "2.0", method, params });
  }

  const workspaceFolders = [{ uri: ROOT, name: "pod" }];
  const params = {
    processId: null,
    rootUri: ROOT,
    capabilities: { workspace: { configuration: true } },
    workspaceFolders,
  };
  server.send({ jsonrpc: "2.0", id: "initialize", method: "initialize", params });
  try {
    return await Promise.all(documents.map(({ diagnostics }) => diagnostics));
  } finally {
    server.dispose();
  }
}

const ROOT = "file:///pod-editor";

const CONFIGURATION = { schema: { enabled: true, catalogs: [], associations: {}, links: false, cache: {} } };

// Of a text without a fault the server speaks three times: before it looks, after the syntax, after the schema.
const LAST_WORD = 3;

function createDocument(text: string) {
  let receive: (diagnostics: readonly Diagnostic[]) => void = () => undefined;
  let words = 0;
  const diagnostics = new Promise<readonly EditorDiagnostic[]>((resolve) => {
    receive = (found) => {
      words += 1;
      if (found.length === 0 && words < LAST_WORD) return;
      resolve(found.map(({ message, range }) => ({ message, line: range.start.line + 1 })));
    };
  });
  return { text, diagnostics, receive };
}

interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

function toUri(index: number): string {
  return `${ROOT}/${index}/pod.toml`;
}

const ENVIRONMENT: Parameters<typeof taplo.TaploLsp.initialize>[0] = {
  now: () => new Date(),
  envVar: () => undefined,
  envVars: () => [],
  stdErrAtty: () => false,
  stdin: async () => new Uint8Array(),
  stdout: async (bytes) => bytes.length,
  stderr: async (bytes) => bytes.length,
  glob: () => [],
  readFile: (path) => readFile(path),
  writeFile: async () => undefined,
  urlToFilePath: (url) => decodeURI(url).replace(/^[a-z]+:\/\//, ""),
  isAbsolute: (path) => isAbsolute(path),
  cwd: () => "/",
  findConfigFile: () => undefined,
  fetch: { fetch: () => Promise.reject(new Error("no network in tests")), Headers, Request, Response },
};
