import { readFile, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import prettier from "prettier";
import bundle from "../l10n/bundle.l10n.zh-cn.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import englishTexts from "../package.nls.json" with { type: "json" };
import chineseTexts from "../package.nls.zh-cn.json" with { type: "json" };
import type { FailedAction, Notice } from "../src/failures/notice.ts";
import { UserError, type UserErrorKind } from "../src/failures/userError.ts";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../src/gateway/errors.ts";
import { afterProcessing, rules, type Rule } from "../src/gateway/policy/rules.ts";
import { kindByStatus } from "../src/gateway/wire/errorAnswer.ts";
import { translations } from "./docs/vscode.ts";
import { root } from "./paths.ts";

/**
 * `npm run docs`: writes the tables of docs/settings.md and docs/errors.md, in both languages, from package.json and from
 * the tables of the code. The descriptions of commands are written in the page, and not changed. With `--check`, writes nothing and fails
 * if a page is not up to date.
 */

// The texts of failures come from code that imports VS Code.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? { url: import.meta.resolve("./docs/vscode.ts"), shortCircuit: true }
      : next(specifier, context),
});
const { kindOf, noticeOf } = await import("../src/failures/notices.ts");
const { userNotices } = await import("../src/failures/userErrorNotices.ts");

type Texts = Readonly<Record<string, string>>;

const english = {
  folder: "docs",
  texts: englishTexts as Texts,
  bundle: {} as Texts,
  heads: {
    commands: ["Command", "Keys", "What it does"],
    settings: ["Setting", "Where", "Default", "Meaning"],
    failures: ["In the log", "What happened", "What to do", "Buttons"],
    messages: ["In the log", "Message", "Buttons"],
    failover: ["In the log", "Status", "Question", "Question, no backup", "Image request"],
  },
  scopes: { machine: "User or remote", application: "User", window: "Anywhere", resource: "Anywhere" } as Texts,
  value: (value: string, text: string) => `\`${value}\`: ${text}`,
  comma: ", ",
  otherStatus: "any other",
  stop: "Stop",
  userDecides: "Stop; you decide",
  again: (times: number, wait: Rule["wait"]) =>
    `${["", "Once", "Twice"][times] ?? times} more${wait === "backoff" ? " after a pause" : ""}`,
  other: "The other entry",
  thenOther: ", then the other entry",
  ifProven: (times: number) => `; ${["", "once", "twice"][times] ?? times} if the entry has answered before`,
};

/** The words of a language for the tables. */
type Words = typeof english;

type Table = keyof Words["heads"];

const chinese: Words = {
  folder: "docs/zh-cn",
  texts: chineseTexts,
  bundle,
  heads: {
    commands: ["命令", "快捷键", "作用"],
    settings: ["设置", "位置", "默认值", "含义"],
    failures: ["日志中的名称", "发生了什么", "解决办法", "按钮"],
    messages: ["日志中的名称", "消息", "按钮"],
    failover: ["日志中的名称", "状态码", "提问", "提问（没有备用入口）", "图像请求"],
  },
  scopes: { machine: "用户或远程", application: "用户", window: "任意", resource: "任意" },
  value: (value, text) => `\`${value}\`：${text}`,
  comma: "、",
  otherStatus: "其他",
  stop: "停止",
  userDecides: "停止，由您决定",
  again: (times, wait) => `${wait === "backoff" ? "稍后" : ""}重试${["", "一", "两"][times] ?? times}次`,
  other: "使用另一个入口",
  thenOther: "，然后使用另一个入口",
  ifProven: (times) => `；该入口此前应答过则重试${["", "一", "两"][times] ?? times}次`,
};

const { commands, configuration, keybindings, menus } = manifest.contributes;

/** The commands that the Command Palette offers, at least at times, with their keys. `table` is the one in the page. */
function commandRows(words: Words, table: string): Rows {
  const known = new Map(table.split("\n").map((row) => [cellAt(row, 1), cellAt(row, 3)]));
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === "false").map(({ command }) => command));
  return commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ command, category, title }) => {
      const keys = keybindings.filter((binding) => binding.command === command).map(keysOf);
      const name = `${category}: ${textOf(title, words)}`;
      const text = known.get(name);
      if (!text) throw new Error(`Say in ${words.folder}/settings.md what “${name}” does: | ${name} | | … |`);
      return [name, [...new Set(keys)].join(words.comma), text];
    });
}

function cellAt(row: string, index: number): string {
  return (row.split("|")[index] ?? "").trim();
}

/** The keys on Windows and Linux. The page says that on macOS, Cmd replaces Ctrl. */
function keysOf({ key, mac }: { readonly key: string; readonly mac?: string }): string {
  if ((mac ?? key) !== key.replaceAll("ctrl", "cmd")) throw new Error(`The keys on macOS differ: ${key}`);
  return key.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

interface Setting {
  readonly scope: string;
  readonly default: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}

function settingRows(words: Words): Rows {
  const settings: readonly (readonly [string, Setting])[] = Object.entries(configuration.properties);
  return settings.map(([id, setting]) => {
    const shown = typeof setting.default === "string" ? setting.default : JSON.stringify(setting.default);
    const description = textOf(setting.markdownDescription ?? setting.description ?? "", words);
    const choices = (setting.enum ?? []).map((value, index) =>
      words.value(value, textOf(setting.enumDescriptions?.[index] ?? "", words)),
    );
    return [
      `\`${id}\``,
      words.scopes[setting.scope] ?? "",
      shown === "" ? "" : `\`${shown}\``,
      // A link to a command is of use in the settings editor only.
      [description.replace(/ ?\[[^\]]+\]\(command:[^)]+\)$/, ""), ...choices].join("<br>"),
    ];
  });
}

/** A failure as shown for an operation for which everything can be offered. */
interface Sample extends GatewayErrorDetails {
  readonly isImage?: boolean;
}

/** Details that the text of a failure depends on. Each sample has a row; a kind without a sample has one without details. */
const samples: Partial<Record<GatewayErrorKind, readonly Sample[]>> = {
  badUrl: [{ flaw: "notUrl" }],
  keyNotAllowed: (["user", "environment"] as const).map((by) => ({
    refusal: { by, origin: "https://gateway.example.com" },
  })),
  unreachable: [{}, { proxy: "proxy.example.com:8080" }],
  untrusted: [{}, { proxy: "proxy.example.com:8080" }],
  notHttps: [{}, { status: 400 }],
  proxyRefused: [{ proxy: "proxy.example.com:8080" }],
  unauthorized: [{ status: 401 }],
  forbidden: [{ status: 403 }, { status: 403, isImage: true }],
  notFound: [{ status: 404 }],
  modelNotFound: [{ model: "gpt-5.4" }, { isImage: true }],
  contextTooLong: [{ model: "gpt-5.4" }, { status: 413, page: "" }, { isImage: true }],
  rateLimited: [{ status: 429 }],
  serverError: [{ status: 500 }],
  overloaded: [{ status: 529 }],
  badGateway: [{ status: 502 }, { page: "" }],
  rejected: [{ status: 400 }, { status: 400, isImage: true, field: "size" }],
  ...Object.fromEntries(
    (["noImage", "mayBeCharged", "linkExpired", "linkForbidden", "downloadFailed", "notAnImage"] as const).map(
      (kind) => [kind, [{ isImage: true }]] as const,
    ),
  ),
};

const kinds = Object.keys(rules.chat) as readonly GatewayErrorKind[];
const userKinds = Object.keys(userNotices) as readonly UserErrorKind[];

function failureRows(words: Words): Rows {
  return kinds.flatMap((kind) =>
    (samples[kind] ?? [{}]).map(({ isImage = false, ...details }) => {
      const error = new GatewayError(kind, "", { entry: "primary", ...details });
      const { cause, advice, actions } = kindOf(error, operationFor(isImage), 0);
      return [`\`${kind}\``, cause, advice, buttons(actions, words)];
    }),
  );
}

/** The failures of the extension, without the details of a case. */
function messageRows(words: Words): Rows {
  return userKinds.map((kind) => {
    const { text, actions } = noticeOf(new UserError(kind, { subject: "…" }), operationFor(false));
    return [`\`${kind}\``, text, buttons(actions, words)];
  });
}

function operationFor(isImage: boolean): FailedAction {
  const run = (): Promise<void> => Promise.resolve();
  const remedies = { square: run, saveElsewhere: run, orderAgain: run, discard: run };
  return isImage
    ? { name: "docs", keyGroup: "image", retry: run, remedies }
    : { name: "docs", keyGroup: "codex", retry: run, isInChat: true };
}

function buttons(actions: Notice["actions"], { comma }: Words): string {
  return actions.map(({ title }) => title).join(comma);
}

/** Kinds that the policy never sees, or that only the file of an image has. */
const elsewhere: ReadonlySet<GatewayErrorKind> = new Set([
  ...(["noEntry", "badUrl", "noKey", "certificateFile", "interrupted", "mayBeCharged"] as const),
  ...(["linkExpired", "linkForbidden", "downloadFailed", "notAnImage", "tooLarge"] as const),
]);

/** What the policy does, kinds with the same course together. */
function failoverRows(words: Words): Rows {
  const courses = Map.groupBy(
    kinds.filter((kind) => !elsewhere.has(kind)),
    (kind) => JSON.stringify(courseOf(kind, words)),
  );
  return [...courses].map(([course, together]) => [
    together.map((kind) => `\`${kind}\``).join(words.comma),
    together.flatMap((kind) => statusesOf(kind, words)).join(words.comma),
    ...(JSON.parse(course) as readonly string[]),
  ]);
}

/** The course of a question with a backup and without, and of an image request with a backup. */
function courseOf(kind: GatewayErrorKind, words: Words): readonly string[] {
  const { chat, image } = { chat: rules.chat[kind], image: rules.image[kind] };
  const proven = chat.retriesAloneIfProven === chat.retriesAlone ? "" : words.ifProven(chat.retriesAloneIfProven);
  const mayBePaid = afterProcessing.some((one) => one === kind);
  return [
    describe(chat.retries, chat, words),
    describe(chat.retriesAlone, { ...chat, failsOver: false }, words) + proven,
    mayBePaid ? words.userDecides : describe(image.retries, image, words),
  ];
}

function describe(times: number, { wait, failsOver }: Pick<Rule, "wait" | "failsOver">, words: Words): string {
  if (times === 0) return failsOver ? words.other : words.stop;
  return words.again(times, wait) + (failsOver ? words.thenOther : "");
}

/** The statuses of a kind, with ranges such as 520–527. */
function statusesOf(kind: GatewayErrorKind, words: Words): readonly string[] {
  if (kind === "rejected") return [words.otherStatus];
  const statuses = Object.keys(kindByStatus)
    .map(Number)
    .filter((status) => kindByStatus[status] === kind);
  const starts = statuses.filter((status) => !statuses.includes(status - 1));
  return starts.map((start) => {
    let end = start;
    while (statuses.includes(end + 1)) end += 1;
    return end === start ? `${start}` : `${start}–${end}`;
  });
}

type Rows = readonly (readonly string[])[];

function textOf(placeholder: string, { texts }: Words): string {
  return texts[placeholder.slice(1, -1)] ?? placeholder;
}

function tableOf(name: Table, words: Words, before: string): string {
  const rows = {
    commands: commandRows,
    settings: settingRows,
    failures: failureRows,
    messages: messageRows,
    failover: failoverRows,
  }[name](words, before);
  const head = words.heads[name];
  return [head, head.map(() => "-"), ...rows].map((cells) => `| ${cells.map(cellOf).join(" | ")} |`).join("\n");
}

/** A text as the cell of a table, in which only code and line breaks are Markdown. */
function cellOf(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\n/g, " ");
}

/** A page with new tables, each between comments that name it. */
async function generated(path: string, words: Words): Promise<string> {
  translations.clear();
  for (const [text, translation] of Object.entries(words.bundle)) translations.set(text, translation);
  const page = await readFile(path, "utf8");
  const filled = page.replace(
    /(<!-- generated: (\w+) -->\n)([^]*?)(<!-- end -->)/g,
    (_, start: string, name: Table, before: string, end: string) =>
      `${start}\n${tableOf(name, words, before)}\n\n${end}`,
  );
  return prettier.format(filled, { ...(await prettier.resolveConfig(path)), filepath: path });
}

const isCheck = process.argv.includes("--check");
for (const words of [english, chinese]) {
  for (const name of ["settings.md", "errors.md"]) {
    const path = join(root, words.folder, name);
    const text = await generated(path, words);
    if (text === (await readFile(path, "utf8"))) continue;
    if (isCheck) throw new Error(`${words.folder}/${name} is not up to date. Run npm run docs.`);
    await writeFile(path, text);
    console.log(`${words.folder}/${name}`);
  }
}
