import { describe, expect, it } from "vitest";
import { startProvider } from "../src/provider.js";
import { createDeferred, within } from "../src/rendezvous.js";
import {
  answer,
  type Fault,
  type Reply,
  refuse,
  repliesInOrder,
  type Script,
  text,
  toolUse,
} from "../src/scripted-model.js";
import { withProvider } from "../src/with-provider.js";
import { partsOfType, streamParts, userSays } from "./real-client.js";

const BLOCKS = [text("looking around"), toolUse("Glob", { pattern: "*" })];

function broken(ending: Extract<Fault, { type: "broken-stream" }>["ending"], keptEvents?: number): Fault {
  return { type: "broken-stream", blocks: BLOCKS, ending, ...(keptEvents === undefined ? {} : { keptEvents }) };
}

describe("faults, as the real client meets them", () => {
  it.each([
    [408, "timeout_error"],
    [413, "request_too_large"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ])("T1: refuses with %i and the provider's own type for it", (status, type) =>
    withProvider({ script: () => refuse(status, { "retry-after": "7" }) }, async (provider) => {
      await expect(streamParts(provider)).rejects.toMatchObject({
        statusCode: status,
        data: { error: { type } },
        responseHeaders: { "retry-after": "7" },
      });
      expect(provider.requests[0]?.status).toBe(status);
    }),
  );

  it("T1: a reset before the first byte is a network error, and status 0 in the log", () =>
    withProvider({ script: () => ({ type: "no-answer", ending: "reset" }) }, async (provider) => {
      await expect(streamParts(provider)).rejects.toThrow();
      expect(provider.requests[0]?.status).toBe(0);
    }));

  it("T1: a reset in mid-stream breaks the reading", () =>
    withProvider({ script: () => broken("reset") }, async (provider) => {
      await expect(streamParts(provider)).rejects.toThrow();
      expect(provider.requests[0]?.status).toBe(200);
    }));

  it("T1: an end before message_stop leaves a whole tool call without a stop reason", () =>
    withProvider({ script: () => broken("end") }, async (provider) => {
      const parts = await streamParts(provider);
      expect(partsOfType(parts, "tool-call")).toHaveLength(1);
      expect(partsOfType(parts, "finish")[0]?.finishReason.raw).toBeUndefined();
    }));

  it("T1: the script chooses how many events are kept", () =>
    withProvider({ script: () => broken("end", 4) }, async (provider) => {
      const parts = await streamParts(provider);
      expect(partsOfType(parts, "text-delta")).toHaveLength(1);
      expect(partsOfType(parts, "tool-call")).toEqual([]);
    }));

  it("T1: an error event and a malformed event are errors in the stream", async () => {
    for (const ending of ["error", "malformed"] as const) {
      await withProvider({ script: () => broken(ending) }, async (provider) => {
        expect(partsOfType(await streamParts(provider), "error"), ending).toHaveLength(1);
      });
    }
  });

  it.each([
    ["before the first byte", { type: "no-answer", ending: "hang" }],
    ["in mid-stream", broken("hang")],
  ] as const)(
    "T1: a client that gives up on a silence %s leaves a provider that answers the next one",
    (_name, fault) => {
      const { script, asked } = signalling(fault, answer(text("hi")));
      return withProvider({ script }, async (provider) => {
        const controller = new AbortController();
        const silent = streamParts(provider, userSays("hello"), controller.signal);
        await within(asked, "the first request");
        controller.abort();
        await expect(silent).rejects.toThrow();
        expect(partsOfType(await streamParts(provider), "finish")).toHaveLength(1);
      });
    },
  );

  it("T1: close() cuts a request that is still held", async () => {
    const { script, asked } = signalling({ type: "no-answer", ending: "hang" });
    const provider = await startProvider({ script });
    const cut = expect(streamParts(provider)).rejects.toThrow();
    await within(asked, "the first request");
    await provider.close();
    await cut;
  });
});

/** A script that tells when it was asked first. */
function signalling(...replies: readonly Reply[]) {
  const asked = createDeferred();
  const inOrder = repliesInOrder(...replies);
  const script: Script = (request, turn) => {
    asked.resolve();
    return inOrder(request, turn);
  };
  return { script, asked: asked.promise };
}
