export {
  markerImitation,
  nastyPiece,
  nastyText,
  type TextAndLimit,
  textAndLimit,
} from "./arbitraries.js";
export type { CapLaw, CappableResult, CapSubject } from "./cap-law.js";
export { CAP_LAWS, capLaws } from "./cap-laws.js";
export { type CorpusText, corpus } from "./corpus.js";
export { capNaively, countUtf8Bytes, type NaiveCappedText, type NaiveKeep, type NaiveLimit } from "./oracle.js";
