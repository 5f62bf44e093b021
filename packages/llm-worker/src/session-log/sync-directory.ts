import { open } from "node:fs/promises";

/** Brings the names of a directory to disk: without it, a power failure may lose a new file, whatever is in it. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows opens no directory, and keeps names without being asked.
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
