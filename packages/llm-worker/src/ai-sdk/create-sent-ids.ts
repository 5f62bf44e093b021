import { createHash } from "node:crypto";

/** What all providers take. */
const SENDABLE = /^[A-Za-z0-9_-]{1,64}$/;
const NOT_TAKEN = /[^A-Za-z0-9_-]/g;
/** With the hash 40, the most that some take. */
const KEPT_UNITS = 27;
const HASH_DIGITS = 12;

/**
 * The id under which each call of one history, and its result, is sent: its own, unless some provider refuses it. No two
 * ids become one, though a model may repeat what it was sent. What follows in history changes no id before it, as the
 * prompt cache needs; so ids are asked for in the order of history.
 */
export function createSentIds(): (id: string) => string {
  const sentIds = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    let sentId = sentIds.get(id);
    if (sentId !== undefined) return sentId;
    sentId = SENDABLE.test(id) ? id : toSendable(id);
    while (taken.has(sentId)) sentId = toSendable(sentId);
    sentIds.set(id, sentId);
    taken.add(sentId);
    return sentId;
  };
}

function toSendable(id: string): string {
  const hash = createHash("sha256").update(id).digest("hex").slice(0, HASH_DIGITS);
  return `${id.slice(0, KEPT_UNITS).replace(NOT_TAKEN, "_")}_${hash}`;
}
