import { lstat, realpath } from "node:fs/promises";
import { dirname, join, posix, win32 } from "node:path";

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The home directory that the environment names, where it is an absolute path. */
export function findHome(env: Environment, platform: string = process.platform): string | undefined {
  return absolutePath(platform === "win32" ? env.USERPROFILE : env.HOME, platform);
}

/**
 * Where the user's manifest would be: under `XDG_CONFIG_HOME` where that is an absolute path (the XDG specification has
 * others ignored), else under `.config` in the home directory; on Windows under `APPDATA`.
 */
export function findUserFile(env: Environment, platform: string = process.platform): string | undefined {
  if (platform === "win32") {
    const data = absolutePath(env.APPDATA, platform);
    return data && win32.join(data, "pod", "pod.toml");
  }
  const home = findHome(env, platform);
  const config = absolutePath(env.XDG_CONFIG_HOME, platform) ?? (home && posix.join(home, ".config"));
  return config && posix.join(config, "pod", "pod.toml");
}

/**
 * The nearest `pod.toml` at or above a directory. The directory with `.git` and the home directory are the last that are
 * looked at: what is above them is another project's, or another user's.
 */
export async function findProjectFile(directory: string, home: string | undefined): Promise<string | undefined> {
  const realHome = home === undefined ? undefined : await realpath(home).catch(() => home);
  for (let current = await realpath(directory); ; current = dirname(current)) {
    const file = join(current, "pod.toml");
    if (await isThere(file)) return file;
    const isLast = current === realHome || current === dirname(current) || (await isThere(join(current, ".git")));
    if (isLast) return undefined;
  }
}

/** Whether two paths lead to one file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [realOne, realOther] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)));
  return realOne === realOther;
}

/** What cannot be looked at counts as there, so that the attempt to read it tells why. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"));
  }
}

function absolutePath(path: string | undefined, platform: string): string | undefined {
  const { isAbsolute } = platform === "win32" ? win32 : posix;
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
