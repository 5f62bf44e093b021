import { fieldsOf, itemsOf } from "./fields-of.js";

const TOOL_USE_ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_USE_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MAX_NAME_LENGTH = 200;

/**
 * What the real provider would refuse in a request's messages, worded as it words it; undefined where it would accept them.
 * Strings are expected to be well-formed already.
 */
export function checkHistory(history: unknown): string | undefined {
  const messages = itemsOf(history);
  if (messages === undefined) return "messages: Field required";
  if (messages.length === 0) return "messages: at least one message is required";
  if (fieldsOf(messages[0]).role !== "user") return "messages: first message must use the user role";
  const seenIds = new Set<string>();
  for (const place of messages.keys()) {
    const problem = checkMessage(messages, place, seenIds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkMessage(messages: readonly unknown[], place: number, seenIds: Set<string>): string | undefined {
  const { role, content } = fieldsOf(messages[place]);
  if (role !== "user" && role !== "assistant") return `messages.${place}.role: Input should be 'user' or 'assistant'`;
  if (typeof content !== "string" && !Array.isArray(content)) return `messages.${place}.content: Field required`;
  if (content.length === 0) {
    return `messages.${place}: all messages must have non-empty content except for the optional final assistant message`;
  }
  const blocks = blocksOf(messages[place]);
  for (const [index, block] of blocks.entries()) {
    const problem = checkBlock(block, role, seenIds);
    if (problem !== undefined) return `messages.${place}.content.${index}${problem}`;
  }
  return checkAnswered(messages, place) ?? checkAsked(messages, place);
}

function checkBlock(block: Block, role: string, seenIds: Set<string>): string | undefined {
  switch (block.type) {
    case "text":
      return checkText(block.text);
    case "thinking":
      if (role !== "assistant") return ": `thinking` blocks can only be in `assistant` messages";
      return typeof block.signature === "string" && block.signature !== ""
        ? undefined
        : ".thinking.signature: Field required";
    case "tool_use":
      if (role !== "assistant") return ": `tool_use` blocks can only be in `assistant` messages";
      return checkToolUse(block, seenIds);
    case "tool_result":
      if (role !== "user") return ": `tool_result` blocks can only be in `user` messages";
      return checkToolResult(block);
    default:
      return `: Input tag '${String(block.type)}' found using 'type' does not match any of the expected tags`;
  }
}

function checkText(text: unknown): string | undefined {
  if (typeof text !== "string") return ".text.text: Field required";
  if (text === "") return ": text content blocks must be non-empty";
  return text.trim() === "" ? ": text content blocks must contain non-whitespace text" : undefined;
}

function checkToolUse({ id, name, input }: Block, seenIds: Set<string>): string | undefined {
  if (typeof id !== "string" || !TOOL_USE_ID.test(id)) {
    return `.tool_use.id: String should match pattern '${TOOL_USE_ID.source}'`;
  }
  if (typeof name !== "string") return ".tool_use.name: Field required";
  if (name.length > MAX_NAME_LENGTH) return `.tool_use.name: String should have at most ${MAX_NAME_LENGTH} characters`;
  if (!TOOL_USE_NAME.test(name)) return `.tool_use.name: String should match pattern '${TOOL_USE_NAME.source}'`;
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return ".tool_use.input: Input should be a valid dictionary";
  }
  if (seenIds.has(id)) return ": `tool_use` ids must be unique";
  seenIds.add(id);
  return undefined;
}

function checkToolResult({ content, is_error: isError }: Block): string | undefined {
  if (isError === true && (content === undefined || content === "")) {
    return ".tool_result: content cannot be empty if `is_error` is true";
  }
  for (const block of itemsOf(content) ?? []) {
    const { type, text } = fieldsOf(block);
    const problem = type === "text" ? checkText(text) : undefined;
    if (problem !== undefined) return `.tool_result${problem}`;
  }
  return undefined;
}

/** Every call has its result at the beginning of the next message, before any other block. */
function checkAnswered(messages: readonly unknown[], place: number): string | undefined {
  const called = blocksOf(messages[place]).filter(({ type }) => type === "tool_use");
  const next = blocksOf(messages[place + 1]);
  const firstOther = next.findIndex(({ type }) => type !== "tool_result");
  const answered = (firstOther < 0 ? next : next.slice(0, firstOther)).map((block) => block.tool_use_id);
  const missing = called.map(({ id }) => id).filter((id) => !answered.includes(id));
  if (missing.length === 0) return undefined;
  return `messages.${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

/** Every result belongs to a call of the message before, and to no call twice. */
function checkAsked(messages: readonly unknown[], place: number): string | undefined {
  const asked = blocksOf(messages[place - 1]).filter(({ type }) => type === "tool_use");
  const unanswered = new Set(asked.map(({ id }) => id));
  for (const [index, block] of blocksOf(messages[place]).entries()) {
    if (block.type !== "tool_result" || unanswered.delete(block.tool_use_id)) continue;
    return asked.some(({ id }) => id === block.tool_use_id)
      ? `messages.${place}.content.${index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${block.tool_use_id}`
      : `messages.${place}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
  }
  return undefined;
}

type Block = Readonly<Record<string, unknown>>;

function blocksOf(message: unknown): readonly Block[] {
  const { content } = fieldsOf(message);
  return itemsOf(content)?.map(fieldsOf) ?? [{ type: "text", text: content }];
}
