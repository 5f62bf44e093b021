export {
  markerImitation,
  nastyPiece,
  nastyText,
  type TextAndLimit,
  textAndLimit,
} from "./arbitraries.js";
export { CAP_LAWS, type CapLaw, type CappableResult, type CapSubject } from "./cap-law.js";
export { capLaws } from "./cap-laws.js";
export { checkHistory } from "./check-history.js";
export { type CorpusText, corpus } from "./corpus.js";
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
export { capNaively, countUtf8Bytes, type NaiveCappedText } from "./oracle.js";
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
export { createTokenBucket, type TakeOutcome, type TokenBucket } from "./token-bucket.js";
export { withProvider } from "./with-provider.js";
