import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { stat, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { findOwner, formatClaim, type LockClaim } from "./lock-claims.js";
import { FOR_APPENDING, type OpenFile, openRegularFile } from "./open-regular-file.js";
import { identifySelf, isRunning } from "./process-start.js";
import { explainFailure, readErrorCode, SessionLogError } from "./session-log-error.js";

/** A lock that is held. */
export interface FileLock {
  release(): Promise<void>;
}

type Claimant = Omit<LockClaim, "replaces">;

/**
 * Takes the lock of a file: the file `<file>.lock` beside it, in which claims are appended. A claim names the one that
 * it replaces, and the system appends in some order: of two processes that find the same owner dead, the first wins.
 * Only its owner deletes a lock, so whoever claimed one that is no longer there claims again.
 *
 * @throws SessionLogError `locked` where the owner lives, in this process or another.
 */
export async function acquireLock(file: string): Promise<FileLock> {
  const lockFile = `${file}.lock`;
  const claimant = { ...(await identifySelf()), host: hostname(), id: randomUUID() };
  for (;;) {
    const lock = await openRegularFile(lockFile, FOR_APPENDING);
    try {
      await claim(lock, claimant, file);
      if (await isInPlace(lock)) return { release: () => release(lockFile, claimant) };
    } catch (cause) {
      throw explainFailure(lockFile, cause);
    } finally {
      await lock.handle.close();
    }
  }
}

async function claim(lock: OpenFile, claimant: Claimant, file: string): Promise<void> {
  for (;;) {
    const owner = await readOwner(lock);
    if (owner?.id === claimant.id) return;
    if (owner !== undefined) await expectDead(owner, lock.file, file);
    await lock.handle.write(formatClaim({ ...claimant, replaces: owner?.id ?? null }), null);
  }
}

async function expectDead(owner: LockClaim, lockFile: string, file: string): Promise<void> {
  if (owner.host !== hostname()) {
    const received = `one of process ${owner.pid} on ${JSON.stringify(owner.host)}, which cannot be asked from here`;
    throw locked(file, received, `make sure that it has ended, and delete ${lockFile}`);
  }
  if (!(await isRunning(owner))) return;
  if (owner.pid === process.pid) {
    throw locked(file, `one of this process, ${owner.pid}`, "use the log that is open, or close it first");
  }
  const remedy = `end that process, or delete ${lockFile} if it is no worker`;
  throw locked(file, `one of process ${owner.pid}, which is running`, remedy);
}

/** A path whose file was deleted leads nowhere, or to a lock of somebody else. */
async function isInPlace({ handle, file }: OpenFile): Promise<boolean> {
  try {
    const [held, named] = await Promise.all([handle.stat({ bigint: true }), stat(file, { bigint: true })]);
    return held.ino === named.ino && held.dev === named.dev;
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function release(lockFile: string, claimant: Claimant): Promise<void> {
  const lock = await openIfThere(lockFile);
  try {
    // Somebody who deleted it by hand may have let another in.
    if (lock !== undefined && (await readOwner(lock))?.id === claimant.id) await unlink(lockFile);
  } catch (cause) {
    throw explainFailure(lockFile, cause);
  } finally {
    await lock?.handle.close();
  }
}

async function openIfThere(lockFile: string): Promise<OpenFile | undefined> {
  try {
    return await openRegularFile(lockFile, constants.O_RDONLY);
  } catch (error) {
    if (["missing-file", "missing-directory"].includes(readErrorCode(error))) return undefined;
    throw error;
  }
}

/** A claim is a few hundred bytes: some tens of thousands of crashes. */
const MAX_LOCK_BYTES = 2 ** 24;

async function readOwner({ handle, file }: OpenFile): Promise<LockClaim | undefined> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(Math.min(size, MAX_LOCK_BYTES));
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  const { owner, isForeign } = findOwner(bytes.toString("utf8", 0, bytesRead));
  if (!isForeign && size <= MAX_LOCK_BYTES) return owner;
  const remedy = "delete it if it is nobody's, or give the log another name";
  const fault = { file, expected: "a lock, or no file of that name", received: "another file", remedy };
  throw new SessionLogError("irregular-file", fault);
}

function locked(file: string, received: string, remedy: string): SessionLogError {
  return new SessionLogError("locked", { file, expected: "no other writer", received, remedy });
}
