/** A decoded body of `POST /v1/messages`, as far as the harness looks at it. */
export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system?: string | readonly TextBlock[];
  readonly messages: readonly RequestMessage[];
  readonly tools?: readonly RequestTool[];
}

/** A message of the request's history. */
export interface RequestMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly RequestBlock[];
}

/** A tool that the request offers to the model. */
export interface RequestTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

/** A text of either side. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** A tool result as the wire has it: always in a message of the user's. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly TextBlock[];
  readonly is_error?: boolean;
}

/** One block of a message. */
export type RequestBlock =
  | TextBlock
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }
  | ToolResultBlock;

/** The texts of all tool results in a request, oldest first: what the model sees of its tools. */
export function toolResultTexts(request: MessagesRequest): string[] {
  return request.messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((block) => block.type === "tool_result").map(textOf),
  );
}

function textOf({ content }: ToolResultBlock): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : content.map(({ text }) => text).join("");
}
