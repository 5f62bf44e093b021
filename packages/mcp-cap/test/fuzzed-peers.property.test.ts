import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { resolveLimit } from "@pod/tool-output-cap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallLog } from "../src/call-log.js";
import { CallStats } from "../src/call-stats.js";
import { relay } from "../src/relay.js";
import { clientLines, join, serverLines } from "./support/arbitrary-traffic.js";
import { arbitraryCuts, inPieces } from "./support/in-pieces.js";
import { InProcessProxy } from "./support/in-process-proxy.js";
import { numRuns } from "./support/num-runs.js";

describe("between two fuzzed peers", () => {
  // Mutant seen to fail: what is known of a long line depends on its pieces.
  it("X1: every line of the client's arrives as it is, and every line of the server's in its place", () => {
    fc.assert(
      fc.property(clientLines, serverLines, arbitraryCuts, arbitraryCuts, (asked, said, clientCuts, serverCuts) => {
        const proxy = new InProcessProxy({ defaultMaxBytes: 600 });
        const received = proxy.fromClient(...inPieces(join(asked), clientCuts));
        expect(received).toBe(join(asked).toString());
        const chunks = inPieces(join(said), serverCuts);
        const got = proxy.fromServer(...chunks).split("\n");
        expect(proxy.end() + proxy.told).toBe("");
        expect(got.length).toBe(said.length + 1);
        for (const [index, line] of said.entries()) checkLine(line, got[index] ?? "");
      }),
      { numRuns: numRuns(5_000) },
    );
  });

  it("X1 X7: the pieces in which bytes come change nothing, nor does a ceiling change what is below it", () => {
    fc.assert(
      fc.property(
        clientLines,
        serverLines,
        arbitraryCuts,
        fc.integer({ min: 20, max: 4_000 }),
        (asked, said, cuts, ceiling) => {
          const run = (chunks: readonly Buffer[]) => {
            const proxy = new InProcessProxy({ defaultMaxBytes: 600, maxLineBytes: ceiling });
            proxy.fromClient(join(asked));
            return [proxy.fromServer(...chunks) + proxy.end(), proxy.told, proxy.warnings];
          };
          expect(run(inPieces(join(said), cuts))).toEqual(run([join(said)]));
        },
      ),
      { numRuns: numRuns(5_000) },
    );
  });

  it("X1 X8: over streams, in any order, nothing hangs and nothing is lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        clientLines,
        serverLines,
        arbitraryCuts,
        fc.scheduler(),
        async (asked, said, cuts, scheduler) => {
          const streams = () => ({
            output: new PassThrough({ highWaterMark: 64 }),
            input: new PassThrough({ highWaterMark: 64 }),
          });
          const [client, server] = [streams(), streams()];
          const ended = new Promise((resolve) => server.output.once("close", resolve));
          const done = relay({
            client,
            server: { ...server, ended },
            calls: new CallLog(["tools/call"]),
            stats: new CallStats(),
            limitOf: (name) => resolveLimit({ defaultMaxBytes: 600, perTool: {} }, name),
            maxLineBytes: 2 ** 20,
            isDryRun: false,
            onTools: () => {},
            onWarning: () => {},
          });
          const send = (stream: PassThrough, bytes: Buffer) =>
            scheduler.scheduleSequence([
              ...inPieces(bytes, cuts).map((piece) => async () => {
                stream.write(piece);
              }),
              async () => {
                stream.end();
              },
            ]);
          const sent = [send(client.output, join(asked)), send(server.output, join(said))];
          const read = Promise.all([buffer(server.input), buffer(client.input)]);
          await scheduler.waitAll();
          await Promise.all(sent.map(({ task }) => task));
          await done;
          client.input.end();
          const [received, got] = await read;
          expect(received.equals(join(asked))).toBe(true);
          expect(got.toString().split("\n").length).toBe(said.length + 1);
        },
      ),
      { numRuns: numRuns(1_000) },
    );
  });
});

/** A line is as it was; or JSON as before, with a smaller part. */
function checkLine(sent: Buffer, got: string): void {
  if (got === sent.toString()) return;
  const [before, after] = [JSON.parse(sent.toString()), JSON.parse(got)];
  expect(idsOf(after)).toEqual(idsOf(before));
}

function idsOf(message: unknown): unknown {
  return Array.isArray(message) ? message.map(idsOf) : Reflect.get(Object(message), "id");
}
