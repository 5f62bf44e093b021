export { checkHistory } from "./check-history.js";
export { countInputTokens } from "./count-input-tokens.js";
export { createFakeClock, type FakeClock } from "./fake-clock.js";
export {
  type MessagesRequest,
  type RequestBlock,
  type RequestMessage,
  type RequestTool,
  type TextBlock,
  type ToolResultBlock,
  toolResultTexts,
} from "./messages-request.js";
export { type LoggedRequest, type Provider, type ProviderOptions, startProvider } from "./provider.js";
export { type Barrier, createBarrier, createDeferred, type Deferred, within } from "./rendezvous.js";
export {
  type Answer,
  type AnswerBlock,
  answer,
  type Fault,
  type Reply,
  refuse,
  repliesInOrder,
  type Script,
  text,
  thinking,
  toolUse,
} from "./scripted-model.js";
export { createSharedClock, type SharedClock } from "./shared-clock.js";
export { createTokenBucket, type TakeOutcome, type TokenBucket } from "./token-bucket.js";
export { withProvider } from "./with-provider.js";
