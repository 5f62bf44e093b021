import { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { resolveLimit } from "@pod/tool-output-cap";
import { expect, it } from "vitest";
import { CallLog } from "../src/call-log.js";
import { CallStats } from "../src/call-stats.js";
import { relay } from "../src/relay.js";

const CHUNK = Buffer.from(`${"x".repeat(65_535)}\n`);
const CHUNKS = 200;

/** A side that has 13 MB to say, and counts what was taken of it. */
class Talker extends Readable {
  taken = 0;
  override _read(): void {
    this.push(this.taken < CHUNKS ? CHUNK : null);
    this.taken++;
  }
}

/** A side that reads nothing until it is told to. */
class SlowReader extends Writable {
  readBytes = 0;
  #isOpen = false;
  #waiting: (() => void) | undefined;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.readBytes += chunk.length;
    if (this.#isOpen) done();
    else this.#waiting = done;
  }
  start(): void {
    this.#isOpen = true;
    this.#waiting?.();
  }
}

// Mutant seen to fail: `write` that does not wait.
it("X8: where one side is slow the other waits, in either direction, and nothing is lost", async () => {
  const [client, server] = [0, 1].map(() => ({ output: new Talker(), input: new SlowReader() }));
  if (client === undefined || server === undefined) throw new Error("two sides");
  const done = relay({
    client,
    server: { ...server, ended: Promise.resolve() },
    calls: new CallLog(["tools/call"]),
    stats: new CallStats(),
    limitOf: (name) => resolveLimit({ defaultMaxBytes: 600, perTool: {} }, name),
    maxLineBytes: 2 ** 20,
    isDryRun: false,
    onTools: () => {},
    onWarning: () => {},
  });
  for (let turn = 0; turn < 1_000; turn++) await setImmediate();
  for (const { taken } of [client.output, server.output]) expect(taken).toBeLessThan(8);
  for (const { input } of [client, server]) input.start();
  await done;
  expect([server.input.readBytes, client.input.readBytes]).toEqual([CHUNKS * CHUNK.length, CHUNKS * CHUNK.length]);
});
