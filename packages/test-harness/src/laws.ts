export {
  markerImitation,
  nastyPiece,
  nastyText,
  type TextAndLimit,
  textAndLimit,
} from "./arbitraries.js";
export { CAP_LAWS, type CapLaw, type CappableResult, type CapSubject } from "./cap-law.js";
export { capLaws } from "./cap-laws.js";
export { type CorpusText, corpus } from "./corpus.js";
export { capNaively, countUtf8Bytes, type NaiveCappedText, type NaiveKeep, type NaiveLimit } from "./oracle.js";
