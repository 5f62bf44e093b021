import { parseJson } from "./entry-line.js";
import type { ProcessIdentity } from "./process-start.js";

/** One line of a lock file: a process takes the lock, from nobody or from an owner that has died. */
export interface LockClaim extends ProcessIdentity {
  /** The machine on which `pid` means something. */
  readonly host: string;
  /** Of this claim and no other. */
  readonly id: string;
  /** The id of the claim that it takes the place of; null where there is none. */
  readonly replaces: string | null;
}

/** Between newlines, so that no half line becomes part of it. */
export function formatClaim(claim: LockClaim): string {
  return `\n${JSON.stringify(claim)}\n`;
}

/**
 * The claim that holds, the same for everybody who reads: of two that take the place of one owner, the first line
 * counts, and the second takes the place of nobody. `isForeign` where the text is no lock at all.
 */
export function findOwner(text: string): { readonly owner: LockClaim | undefined; readonly isForeign: boolean } {
  // NULs are what a power failure leaves.
  const lines = text.split(/[\n\0]+/).filter((line) => line !== "");
  const claims = lines.map((line) => parseJson(Buffer.from(line))).filter(isClaim);
  let owner: LockClaim | undefined;
  for (const claim of claims) {
    if (claim.replaces === (owner?.id ?? null)) owner = claim;
  }
  return { owner, isForeign: lines.length > 0 && owner === undefined };
}

function isClaim(value: unknown): value is LockClaim {
  if (typeof value !== "object" || value === null) return false;
  const { pid, start, host, id, replaces }: { readonly [field in keyof LockClaim]?: unknown } = value;
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    (start === undefined || typeof start === "string") &&
    typeof host === "string" &&
    typeof id === "string" &&
    (replaces === null || typeof replaces === "string")
  );
}
