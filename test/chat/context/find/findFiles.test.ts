import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Excerpt, excerptsOf } from "../../../../src/chat/context/find/excerpts.ts";
import { type Candidate, isRelevant, rankFiles } from "../../../../src/chat/context/find/rankFiles.ts";
import { estimateTokens } from "../../../../src/prompts/estimateTokens.ts";
import { longestTurn } from "../../../support/longestTurn.ts";

/** Questions about undici, whose code and documentation are in `node_modules`, with the files of `lib` that matter. */
const questions: readonly (readonly [question: string, ...files: readonly string[]])[] = [
  ["Which failed requests are tried again, and how is Retry-After read?", "handler/retry-handler"],
  ["How does a redirect keep credentials from another origin?", "handler/redirect-handler"],
  ["Which environment variables choose a proxy?", "dispatcher/env-http-proxy-agent"],
  ["How are server-sent events parsed?", "web/eventsource/eventsource-stream"],
  ["Where are cookies parsed?", "web/cookies/parse", "web/cookies/index"],
  ["How does the pool pick the next client?", "dispatcher/pool-base", "dispatcher/balanced-pool"],
  ["How is a SOCKS5 handshake done?", "core/socks5-client", "dispatcher/socks5-proxy-agent"],
  ["Where are responses kept in SQLite?", "cache/sqlite-cache-store"],
  ["Which responses may be cached, by their Cache-Control header?", "handler/cache-handler", "interceptor/cache"],
  ["How does the DNS interceptor choose between IPv4 and IPv6?", "interceptor/dns"],
  ["How are HTTP/2 streams opened and closed?", "dispatcher/client-h2"],
  ["How is the body of a response read as JSON or text?", "api/readable"],
  ["Where is a TLS connection made, and its session reused?", "core/connect"],
  ["How are dates of HTTP headers parsed?", "util/date"],
];

const corpus =
  "{docs/docs/api,lib/{api,cache,core,dispatcher,handler,interceptor,util,web/{cookies,eventsource}}}/**/*.{js,md}";

describe("the files found for a question", () => {
  const folder = join("node_modules", "undici");
  const candidates = globSync(corpus, { cwd: folder }).map((path): Candidate => ({
    path: path.replaceAll("\\", "/"),
    text: readFileSync(join(folder, path), "utf8"),
  }));
  const budget = 2_500;

  const find = async (question: string): Promise<readonly Excerpt[]> => {
    const ranked = await rankFiles(question, candidates);
    return isRelevant(ranked) ? excerptsOf(question, ranked, budget) : [];
  };

  it("are none where the question is about something else", async () => {
    for (const question of ["Why is the sky blue?", "What is the capital of France?", "How do I cook pasta?", "thanks"])
      assert.deepEqual(await find(question), [], question);
  });

  it("have the file first that the question names", async () => {
    for (const name of ["parser-h1.js", "lib/core/request.js", "`balanced-pool`"]) {
      const path = new RegExp(`${name.replaceAll("`", "").replace(".js", "")}\\.js$`);
      for (const question of [`What does ${name} do?`, `请解释${name}这个文件`])
        assert.match((await find(question))[0]?.file.path ?? "", path, question);
    }
    const trace = "TypeError: It is not a function\n    at run (/usr/src/app/lib/core/request.js:1:2)";
    assert.equal((await find(trace))[0]?.file.path, "lib/core/request.js");
    for (const path of [".gitlab-ci.yml", ".prettierrc", ".github/workflows/ci.yml"]) {
      const ranked = await rankFiles(`What does ${path} do?`, [...candidates, { path, text: "one: 1\n" }]);
      assert.deepEqual([ranked[0]?.path, isRelevant(ranked)], [path, true]);
    }
  });

  it("are found by the English words in a question of another script, also without spaces", async () => {
    for (const [question, name] of [
      ["cookie在哪里解析?", "cookies/parse"],
      ["redirect怎么处理?", "redirect"],
      ["retry是怎么实现的?", "retry-handler"],
      ["MockAgent怎么用?", "MockAgent"],
      ["retryはどこで実装されていますか?", "retry-handler"],
      ["redirect는 어떻게 동작하나요?", "redirect"],
      ["Как обрабатывается redirect?", "redirect"],
    ] as const) {
      const paths = (await find(question)).map(({ file }) => file.path);
      const isFound = paths.some((path) => path.includes(name));
      assert.ok(isFound, `${question} ${paths.join()}`);
    }
    for (const question of ["天空为什么是蓝色的?", "docker compose怎么用?", "谢谢", "Как установить Python?"])
      assert.deepEqual(await find(question), [], question);
  });

  it("start with the file that is called what the question is about, however often others mention it", async () => {
    const mention = "the command checks what the other commands export, and check again\n".repeat(40);
    const others = Array.from({ length: 30 }, (_, index) => ({ path: `src/commands/other${index}.ts`, text: mention }));
    const files = [...others, { path: "src/commands/check.ts", text: "export const run = 1;\n" }];
    const [first] = await rankFiles("The check command should not export anything", files);
    assert.equal(first?.path, "src/commands/check.ts");
  });

  it("are ranked in short turns, also where the question quotes a log with thousands of names", async () => {
    const log = Array.from({ length: 3_000 }, (_, line) => `at handle${line} (src/server/file${line}.ts:${line})`);
    const text = "const lamp = readLamp(settings, count);\n".repeat(3_000);
    const files = Array.from({ length: 40 }, (_, index) => ({ path: `src/lamp${index}.ts`, text }));
    using watch = longestTurn();
    await rankFiles(log.join("\n"), files);
    await setTimeout(10);
    assert.ok(watch.longest < 1_000, `${watch.longest} ms`);
  });

  it("count the line that names each of them", () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => (index % 20 === 0 ? "the lamp" : "x"));
    const file = { path: "lamps.ts", text: lines.join("\n"), score: 1, coverage: 1 };
    const excerpts = excerptsOf("Where is the lamp?", [file], budget);
    const tokens = excerpts.reduce((sum, { text }) => sum + estimateTokens(text) + 20, 0);
    assert.ok(excerpts.length > 20 && tokens <= budget, `${excerpts.length} excerpts, ${tokens} tokens`);
  });

  it("have the lines that the question names", () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => (index === 1_499 ? "the keeper" : "the lamp"));
    const file = { path: "src/lamps.ts", text: lines.join("\n"), score: 1, coverage: 1 };
    const places = ["lamps.ts:1500:3", "src/lamps.ts#L1500", "lamps.ts(1500,3)", '"src/lamps.ts", line 1500'];
    for (const place of [...places, "lamps.ts第1500行"]) {
      const excerpts = excerptsOf(`Why is the lamp out in ${place}?`, [file], budget);
      assert.ok(
        excerpts.some(({ text }) => text.includes("keeper")),
        place,
      );
    }
  });

  it("hold at least 90 % of those that matter, within the tokens they may take", async () => {
    let listed = 0;
    const missed: string[] = [];
    for (const [question, ...files] of questions) {
      const excerpts = await find(question);
      const tokens = excerpts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
      assert.ok(tokens <= budget, `${question}: ${tokens} tokens`);
      const paths = new Set(excerpts.map(({ file }) => file.path));
      listed += files.length;
      missed.push(...files.filter((file) => !paths.has(`lib/${file}.js`)).map((file) => `${question}: ${file}`));
    }
    assert.ok(missed.length <= 0.1 * listed, `${missed.length} of ${listed}\n${missed.join("\n")}`);
  });
});
