import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { checkRequest } from "./check-request.js";
import { countInputTokens, sumTexts } from "./count-input-tokens.js";
import { createFakeClock, type FakeClock } from "./fake-clock.js";
import type { MessagesRequest } from "./messages-request.js";
import { providerError } from "./provider-error.js";
import { createRateLimit } from "./rate-limit.js";
import type { Reply, Script } from "./scripted-model.js";
import { sendError, sendReply } from "./send-reply.js";

/** Only the script is required. */
export interface ProviderOptions {
  readonly script: Script;
  /** The account's limit, enforced; without it nothing is metered and no rate-limit header is sent. */
  readonly inputTokensPerMinute?: number;
  /** Enforced where `inputTokensPerMinute` is; 1,000 by default. */
  readonly requestsPerMinute?: number;
  /** `false`: an account that is metered but states its limit in no header. */
  readonly statesLimit?: boolean;
  /** UTF-8 bytes per token in the texts of this session; by default those of the incident's paths. */
  readonly bytesPerToken?: number;
  /** What a text of a request is charged, in place of its bytes: a tokenizer's count, say. */
  readonly countTokens?: (text: string) => number;
  /** What the buckets refill by; by default a fake clock that stands still. */
  readonly clock?: Pick<FakeClock, "now">;
}

/** A request to `/v1/messages`, and what became of it. */
export interface LoggedRequest {
  /** Decoded JSON, as it was sent: unchecked where `status` is 400, undefined where it was no JSON. */
  readonly body: MessagesRequest;
  readonly bodyText: string;
  /** UTF-8 bytes of the body. */
  readonly bytes: number;
  readonly inputTokens: number;
  /** HTTP status of the answer; 0 until there is one, and where none was given. */
  readonly status: number;
  /** Milliseconds of the provider's clock. */
  readonly at: number;
}

/** A provider that runs. */
export interface Provider {
  /** The base URL that `createAnthropic` takes, `/v1` included. */
  readonly url: string;
  /** Every request to `/v1/messages`, refused ones included, in order of arrival. */
  readonly requests: readonly LoggedRequest[];
  /** Cuts what is open. Rejects with the first mistake of the script, if it made one. */
  close(): Promise<void>;
}

/**
 * A provider on 127.0.0.1 that speaks the Anthropic Messages protocol, as JSON and as SSE. Wire, refusals and rate limits
 * behave as the real ones do; only the model is a script, and the count of tokens a simulation.
 */
export async function startProvider(options: ProviderOptions): Promise<Provider> {
  const requests: LoggedRequest[] = [];
  const mistakes: unknown[] = [];
  const answerRequest = createAnswerer(options, requests, mistakes);
  const server = createServer((incoming, outgoing) => {
    answerRequest(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy();
      // A client that hung up is its own affair.
      if (!incoming.destroyed || incoming.complete) mistakes.push(error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`expected a port, received ${String(address)}`);
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      if (mistakes.length > 0) throw mistakes[0];
    },
  };
}

function createAnswerer(options: ProviderOptions, requests: LoggedRequest[], mistakes: unknown[]) {
  const {
    script,
    inputTokensPerMinute,
    requestsPerMinute = 1000,
    statesLimit = true,
    bytesPerToken,
    countTokens,
    clock = createFakeClock(),
  } = options;
  const takeFromLimit =
    inputTokensPerMinute === undefined
      ? () => ({ retryAfterSeconds: 0, headers: {}, refusal: undefined })
      : createRateLimit({ inputTokensPerMinute, requestsPerMinute, now: clock.now });
  let turns = 0;

  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const bytes = await readBody(incoming);
    if (incoming.method !== "POST" || incoming.url !== "/v1/messages") {
      return sendError(outgoing, 404, providerError(404, `Not found: ${incoming.method} ${incoming.url}`));
    }
    const checked = checkRequest(bytes);
    const inputTokens = countTokens
      ? sumTexts(checked.body, countTokens)
      : countInputTokens(checked.body, bytesPerToken);
    const logged = {
      body: checked.body as MessagesRequest,
      bodyText: bytes.toString(),
      bytes: bytes.length,
      inputTokens,
      status: 0,
      at: clock.now(),
    };
    requests.push(logged);
    outgoing.setHeader("request-id", `req_${requests.length}`);
    // The log shows the status from the moment it is decided, which is before the client can see it.
    const refuse = (status: number, message: string, headers: Record<string, string> = {}) => {
      logged.status = status;
      sendError(outgoing, status, providerError(status, message), headers);
    };

    if (checked.type === "rejected") return refuse(400, checked.problem);
    const taken = takeFromLimit(inputTokens);
    const limitHeaders = statesLimit ? taken.headers : {};
    if (taken.refusal !== undefined) {
      return refuse(429, taken.refusal, { ...limitHeaders, "retry-after": String(taken.retryAfterSeconds) });
    }

    const turn = turns++;
    let reply: Reply;
    try {
      reply = await script(checked.body, turn);
    } catch (mistake) {
      mistakes.push(mistake);
      return refuse(400, `the scripted model failed: ${String(mistake)}`);
    }
    const { model, stream = false } = checked.body;
    if (reply.type === "refuse") logged.status = reply.status;
    else if (reply.type !== "no-answer") logged.status = 200;
    sendReply(outgoing, reply, { model, stream, inputTokens, sequence: turn, limitHeaders });
  };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}
