import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MCP_CAP } from "./run-mcp-cap.js";

const TEE = fileURLToPath(new URL("tee.mjs", import.meta.url));

/** What went over the wire on either side of the command. */
export interface Session {
  /** As the client and the server said it. */
  readonly requests: { readonly sent: Buffer; readonly received: Buffer };
  /** As the server said it, and as the client got it, line by line. */
  readonly answers: readonly (readonly [sent: string, received: string])[];
}

/** A command line, and a reader of what went through it. */
export interface Recorder {
  readonly command: string;
  readonly args: readonly string[];
  read(): Promise<Session>;
}

/** The command line of `mcp-cap` before a server, with both sides written down, and a reader of what was. */
export async function recordSession(options: readonly string[], server: readonly string[]): Promise<Recorder> {
  const directory = await mkdtemp(join(tmpdir(), "mcp-cap-session-"));
  const [outer, inner] = [join(directory, "client"), join(directory, "server")];
  return {
    command: process.execPath,
    args: [TEE, outer, ...MCP_CAP, ...options, "--", process.execPath, TEE, inner, ...server],
    read: async (): Promise<Session> => {
      const [sent, received, said, got] = await Promise.all(
        [`${outer}.in`, `${inner}.in`, `${inner}.out`, `${outer}.out`].map((path) => readFile(path)),
      );
      const lines = (bytes = Buffer.alloc(0)) => bytes.toString().split("\n");
      const gotLines = lines(got);
      return {
        requests: { sent: sent ?? Buffer.alloc(0), received: received ?? Buffer.alloc(0) },
        answers: lines(said).map((line, index) => [line, gotLines[index] ?? ""]),
      };
    },
  };
}

/** The methods of the requests whose answers the command changed. */
export function listChangedMethods({ requests, answers }: Session): readonly string[] {
  const methods = new Map(
    requests.sent
      .toString()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .filter(({ method }) => method !== undefined)
      .map(({ id, method, params }) => [id, method === "tools/call" ? `${method} ${params.name}` : method]),
  );
  const changed = answers.filter(([sent, received]) => sent !== received);
  return changed.map(([sent]) => methods.get(JSON.parse(sent).id) ?? sent);
}
