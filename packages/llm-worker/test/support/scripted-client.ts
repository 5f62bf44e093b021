import { type LlmClient, LlmError, type LlmRequest, type LlmStreamPart } from "@pod/llm-worker";
import { countInputTokens } from "@pod/test-harness";
import { countStringBytes } from "../../src/message-size.js";
import { findHistoryFault, renderMessages } from "./render-messages.js";
import { never, ScriptedError, type ScriptedWorld } from "./scripted-world.js";
import type { PartPlan, ReplyPlan, StreamEnding, UsagePlan } from "./session-script.js";

/** A model behind a provider that looks at every request as the real one would, and then does what the script says. */
export function scriptedClient(world: ScriptedWorld, life: number): LlmClient {
  return {
    stream(request, { signal }) {
      const reply = peekReply(world);
      if (reply?.type === "break" && reply.ending === "throws-at-once") {
        world.nextReply();
        world.step.seen.add("failure");
        throw new ScriptedError("the client has no stream");
      }
      return answer(request, signal);
    },
  };

  async function* answer(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmStreamPart> {
    await world.pass(life);
    const { step } = world;
    step.requests++;
    const messages = renderMessages(request.messages);
    const sent = messages.map((message) => JSON.stringify(message));
    const bytes = countStringBytes(messages);
    checkSent(request, sent);
    if (bytes >= step.refusedBytes) world.faults.push("a request that was refused for its size was not made smaller");
    const inputTokens = countInputTokens({ messages });
    const { tokenLimit } = world.script;
    if (world.isHostile && tokenLimit !== undefined && inputTokens > tokenLimit) {
      throw refuse({ status: 429, inputTokenLimit: tokenLimit, requestedTokens: inputTokens }, bytes);
    }
    const reply = world.nextReply();
    if (reply.type === "refuse") throw refuse(reply.details, bytes);
    step.refusedBytes = Number.POSITIVE_INFINITY;
    for (const part of reply.parts) {
      await world.pass(life);
      yield toPart(part, world);
    }
    if (reply.type === "break") yield* breakOff(reply.ending, signal);
    else {
      // An answer that comes after the run was cancelled reaches nobody.
      if (!signal.aborted) world.accepted = { messages: sent, life };
      yield { type: "finish", usage: usageOf(reply.usage, inputTokens) };
    }
  }

  function checkSent(request: LlmRequest, sent: readonly string[]): void {
    const fault = findHistoryFault(request.messages);
    if (fault !== undefined) world.faults.push(`the provider refuses what is sent: ${fault}`);
    const changed = acceptedOf(world, sent).findIndex((message, index) => message !== sent[index]);
    if (changed !== -1) world.faults.push(`messages[${changed}] is not what the provider accepted`);
  }

  function refuse(details: Extract<ReplyPlan, { type: "refuse" }>["details"], bytes: number): LlmError {
    world.step.seen.add("failure");
    const { status, code, inputTokenLimit = Number.NaN, requestedTokens = Number.NaN } = details;
    const isForSize = status === 413 || code === "context_length_exceeded" || requestedTokens > inputTokenLimit;
    if (isForSize) world.step.refusedBytes = bytes;
    return new LlmError("refused", { kind: "status", ...details });
  }

  async function* breakOff(ending: StreamEnding, signal: AbortSignal): AsyncGenerator<LlmStreamPart> {
    world.step.seen.add("failure");
    switch (ending) {
      case "network":
        throw new LlmError("reset", { kind: "network" });
      case "foreign":
        throw new ScriptedError("not an LlmError");
      case "nonsense":
        yield Object(JSON.parse('{"type":"tool-call","toolName":7}'));
        return;
      case "hang":
        // Nobody else would end it.
        world.step.controller.abort();
        if (!signal.aborted) world.faults.push("the client's signal is not aborted with the run's");
        await never();
    }
  }
}

/**
 * What may not change. No log tells of an answer that said nothing, or was not written down: for a worker that comes after
 * it, the newest batch has not been accepted.
 */
function acceptedOf(
  { accepted: { messages, life }, life: now }: ScriptedWorld,
  sent: readonly string[],
): readonly string[] {
  if (life === now || isAnswer(sent[messages.length])) return messages;
  return messages.slice(0, messages.findLastIndex(isAnswer) + 1);
}

function isAnswer(message = ""): boolean {
  return message.startsWith('{"role":"assistant"');
}

function peekReply({ isHostile, script, repliesUsed }: ScriptedWorld): ReplyPlan | undefined {
  return isHostile ? script.replies[repliesUsed] : undefined;
}

function toPart(part: PartPlan, world: ScriptedWorld): LlmStreamPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "delta":
      return { type: "text-delta", text: part.text };
    case "thought":
      return { type: "reasoning", text: part.text };
    case "signed-thought":
      return { type: "reasoning", text: part.text, providerMetadata: { anthropic: { signature: "signed" } } };
    case "call": {
      const { toolCallId, toolName } = part.plan;
      return { type: "tool-call", toolCallId, toolName, input: { number: world.addPlan(part.plan) } };
    }
  }
}

function usageOf(plan: UsagePlan, inputTokens: number): Extract<LlmStreamPart, { type: "finish" }>["usage"] {
  switch (plan) {
    case "counted":
      return { inputTokens, outputTokens: 10 };
    case "cached":
      return { inputTokens, cachedInputTokens: Math.floor(inputTokens / 2) };
    case "absent":
      return {};
    case "nonsense":
      return { inputTokens: Number.NaN, cachedInputTokens: -1 };
  }
}
