/** A text in a shape that real tools return. */
export interface CorpusText {
  readonly name: string;
  readonly text: string;
}

/**
 * Recorded shapes of tool outputs, rebuilt in code so that every run sees the same bytes. Each has about 100,000 units.
 * Another seed gives other texts of the same shapes.
 */
export function corpus(seed: number = 0): readonly CorpusText[] {
  return Object.entries(SHAPES).map(([name, writeLine]) => {
    const random = createRandom(name.length + Math.imul(seed, 0x9e37_79b9));
    let text = "";
    for (let line = 1; text.length < 100_000; line++) text += writeLine(line, random);
    return { name, text };
  });
}

type Random = (below: number) => number;

const SHAPES: Readonly<Record<string, (line: number, random: Random) => string>> = {
  "path lists": (_, random) => `${pathOf(random)}\n`,
  "search hits": (line, random) =>
    `${pathOf(random)}:${line}:${random(80)}:  const ${word(random)} = await ${word(random)}();\n`,
  source: (line, random) =>
    `export function ${word(random)}${line}(${word(random)}: string): number {\n\treturn ${word(random)}.length * ${random(99)}; // ${sentence(random)}\n}\n\n`,
  logs: (line, random) =>
    `2026-03-0${1 + random(9)}T0${random(10)}:${10 + random(50)}:${10 + random(50)}.${100 + random(900)}Z \u001b[3${1 + random(6)}mINFO\u001b[39m [${word(random)}] #${line} ${sentence(random)}\r\n`,
  JSON: (line, random) =>
    `${JSON.stringify({ id: line, name: word(random), tags: [word(random), word(random)], note: sentence(random), at: { x: random(1e6), y: null } })},\n`,
  CSV: (line, random) => `${line},"${sentence(random)}",${random(1e6) / 100},${word(random)},,"5"" pipe"\r\n`,
  hex: (line, random) =>
    `${(line * 16).toString(16).padStart(8, "0")} ${Array.from({ length: 16 }, () => random(256).toString(16).padStart(2, "0")).join(" ")}\n`,
  digests: (_, random) => `${Array.from({ length: 64 }, () => random(16).toString(16)).join("")}  ${pathOf(random)}\n`,
  base64: (_, random) => Array.from({ length: 76 }, () => BASE64[random(64)]).join(""),
  "a minified line": (_, random) =>
    `!function(${word(random)[0]}){var n=${random(1e4)};return"${word(random)}"+n.toString(36)}(this),`,
  Japanese: (line, random) => `${line}行目、${pick(random, JAPANESE)}が${pick(random, JAPANESE)}を返しました。\n`,
  Chinese: (line, random) =>
    `${line}. ${pick(random, CHINESE)}返回了${pick(random, CHINESE)}，请缩小${pick(random, CHINESE)}的范围。\n`,
  English: (_, random) =>
    `${pick(random, ENGLISH)} ${pick(random, ENGLISH)}, ${pick(random, ["and", "but", "so that", "because"])} ${pick(random, ENGLISH).toLowerCase()}${random(4) ? "." : "?\n"}\n`,
  German: (_, random) =>
    `${pick(random, GERMAN)} ${pick(random, GERMAN)} für ${pick(random, GERMAN)}, süß & größer – «naïve» café.\n`,
  Hindi: (line, random) => `${line}. ${pick(random, HINDI)} ${pick(random, HINDI)}\n`,
  "chat with emoji": (_, random) =>
    `${pick(random, EMOJI)}${pick(random, EMOJI)} ${sentence(random)} ${pick(random, EMOJI)}\n`,
  "one emoji in ASCII": (line, random) => (line === 700 ? "🚀\n" : `${sentence(random)}\n`),
  "a diff": (line, random) =>
    `${pick(random, ["+", "-", " ", " "])}\t${sentence(random)}${line % 40 === 0 ? `\n@@ -${line},7 +${line},9 @@` : ""}\n`,
  "output cut in the middle of a pair": (_, random) => `${sentence(random)}${pick(random, EMOJI).slice(0, 1)}\n`,
};

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const WORDS = [
  "index",
  "render",
  "token",
  "session",
  "worker",
  "limit",
  "history",
  "query",
  "parse",
  "buffer",
  "retry",
];
const FOLDERS = ["node_modules", "src", "lib", "dist", "@types", "__tests__", "packages", "vendor", "esm", "internal"];
const JAPANESE = ["関数", "モデル", "履歴", "結果", "ツール", "上限", "ファイル一覧"];
const CHINESE = ["函数", "模型", "历史记录", "结果", "工具", "上限", "文件列表", "查询"];
const ENGLISH = [
  "The request was refused for its size",
  "Nobody had asked for a list of every file",
  "It took a while until the limit was found",
  "Most of the output is never read again",
  "A narrower question gives a shorter answer",
  "Whoever waits for the next minute waits in vain",
  "That history grows is no surprise",
  "Both of the tools return what they were told to",
];
const GERMAN = ["Überprüfung", "Maßstab", "Schlüssel", "Größe", "Verläufe", "Äpfel"];
const HINDI = ["नमस्ते", "क्षेत्र", "परिणाम", "सीमा", "श्रृंखला"];
const EMOJI = ["😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇯🇵", "👍🏽", "❤️", "🧑🏿‍🚀"];

function pathOf(random: Random): string {
  const folders = Array.from({ length: 3 + random(5) }, () => pick(random, FOLDERS));
  return `/home/user/project/${folders.join("/")}/${word(random)}-${word(random)}.${pick(random, ["js", "d.ts", "map", "json"])}`;
}

function sentence(random: Random): string {
  return Array.from({ length: 4 + random(9) }, () => word(random)).join(" ");
}

function word(random: Random): string {
  return pick(random, WORDS);
}

function pick(random: Random, from: readonly string[]): string {
  return from[random(from.length)] ?? "";
}

/** Numerical Recipes' linear congruential generator: the same texts on every machine. */
function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
