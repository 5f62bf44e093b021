export { type BpeCounter, type BpeEncoding, createBpeCounter } from "./bpe/create-bpe-counter.js";
