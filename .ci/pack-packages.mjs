// Packs every public package into the directory that is named, as a release would: `node .ci/pack-packages.mjs DIR`.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new TypeError("no directory. Write: node .ci/pack-packages.mjs DIR");

const root = new URL("../", import.meta.url);
const { packageManager } = readJson("package.json");
const filters = readdirSync(new URL("packages/", root))
  .map((name) => readJson(`packages/${name}/package.json`))
  .filter((manifest) => manifest.private !== true)
  .map(({ name }) => `--filter=${name}`);
const pack = ["--recursive", ...filters, "pack", "--pack-destination", directory];
const { status } = spawnSync("npx", ["--prefer-offline", "-y", packageManager, ...pack], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
process.exitCode = status ?? 1;

function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, root), "utf8"));
}
