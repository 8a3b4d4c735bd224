import assert from "node:assert/strict";
import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Review, reviewChanges, type ReviewServices } from "../../../src/git/review/reviewChanges.ts";
import type { Settings } from "../../../src/settings/settings.ts";
import { estimateTokens } from "../../../src/prompts/estimateTokens.ts";
import { TokenCounter } from "../../../src/prompts/tokenCounter.ts";
import { limitTo, messagesOf, repositoryOf } from "../../support/git/gitApi.ts";
import { createRepository, type GitFolder } from "../../support/git/gitFolder.ts";
import { guarded, placeholdersIn } from "../../support/guarded.ts";
import { withLocalClient } from "../../support/localClient.ts";
import { allPlainSettings } from "../../support/plainSettings.ts";

const secret = "never-to-be-sent-1x2y3z4w";

describe("a review of the changes of a Git repository", () => {
  let repository: GitFolder;
  let settings: Settings;
  let answer: string;
  const placeholder = "[secret in the diff]";
  const setup = withLocalClient({
    reply: ({ turns }) => {
      const [sent = ""] = placeholdersIn(/const apiKey = .{0,60}/.exec(JSON.stringify(turns))?.[0] ?? "");
      const text = answer.replace(placeholder, sent);
      return { text: answer.startsWith("{") ? `<findings>\n${text}</findings>` : text, calls: [] };
    },
  });
  beforeEach(() => {
    repository = createRepository();
    settings = allPlainSettings;
    answer = "<findings></findings>";
  });
  afterEach(() => {
    repository[Symbol.dispose]();
  });

  const review = (language = "en"): Promise<Review> => {
    const services: ReviewServices = {
      ...guarded(setup.client.gateway),
      settings: () => settings,
      tokens: new TokenCounter(),
      language,
      readLines: (path) => Promise.try(() => readFileSync(join(repository.folder, path), "utf8").split("\n")),
      isDenied: (path) => Promise.resolve(path.startsWith("hidden")),
      observe: () => undefined,
    };
    return reviewChanges(services, repositoryOf(repository), new AbortController().signal);
  };
  const messages = (): readonly string[] => messagesOf(setup.local.requests);
  const sent = (): string => messages().join("\n\n");
  const changeHarbor = (): void => {
    repository.commit("Begin", { "harbor.ts": "one\n" });
    repository.write("harbor.ts", "two\n");
  };
  const finding = (file: string, line: number | string, code = ""): string =>
    `${JSON.stringify({ file, line, kind: "bug", severity: "high", code, title: "Wrong", text: "It is." })}\n`;
  const skipped = (found: Review): readonly string[] =>
    found.skipped.map(({ path, reason }) => `${path} ${reason}`).toSorted();
  const linesOf = ({ located }: Review): readonly string[] =>
    located.map(({ path, lineRange }) => `${path}:${lineRange.start + 1}-${lineRange.end}`);

  it("gets the diffs with the number of each line, and asks in the user's language", async () => {
    repository.commit("Begin", { "harbor.ts": "one\ntwo\nthree\nfour" });
    repository.write("harbor.ts", "one\n2\nthree\nfour\nfive");
    await review();
    const [rules = "", content = ""] = messages();
    const shown = /```diff\n@@ -1,4 \+1,5 @@\n1\| one\n\|-two\n2\|\+2\n3\| three\n\|-four\n4\|\+four\n5\|\+five\n```/;
    assert.match(content, shown);
    assert.match(rules, /Write title and text in English\.$/);
    await review("zh-cn");
    assert.match(messages()[0] ?? "", /in the language zh-cn\.$/);
    assert.match(JSON.stringify(setup.local.requests.at(-1)?.body), /"model":"gpt-5\.3-codex"/);
  });

  it("is about changes that Git shows in colors", async () => {
    repository.git("config", "color.ui", "always");
    repository.stage({ "harbor.ts": "one\n\ttwo \n" });
    answer = finding("harbor.ts", 2, "two");
    assert.deepEqual(linesOf(await review()), ["harbor.ts:2-2"]);
    assert.match(sent(), /\n1\|\+one\n2\|\+\ttwo \n/);
  });

  it("is about the staged changes alone, on lines of the working file where they still stand", async () => {
    repository.commit("Begin", { "harbor.ts": "one\ntwo\nthree\n", "pier.ts": "pier\n" });
    repository.stage({ "harbor.ts": "one\ntwo\nthree\nstaged words\nstaged end\n" });
    repository.write("harbor.ts", "new first line\none\ntwo\nthree\nstaged words\nchanged since\n");
    repository.write("pier.ts", "unstaged words\n");
    answer = finding("harbor.ts", 4, "staged words") + finding("harbor.ts", 5) + finding("pier.ts", 1);
    const found = await review();
    assert.doesNotMatch(sent(), /unstaged words|changed since|new first/);
    assert.deepEqual(linesOf(found), ["harbor.ts:5-5"]);
    assert.equal(found.unlocated.length, 2);
  });

  it("never sends secrets, names what it has not seen, and says how much it has", async () => {
    for (const path of ["harbor.ts", ".env", "old.ts", "package-lock.json"]) repository.write(path, "one\n".repeat(9));
    repository.commit("Begin");
    repository.stage({
      ...{ ".env": `KEY=${secret}\n`, id_rsa: secret, "package-lock.json": `{ "a": "${secret}" }\n` },
      ...{ "picture.png": new Uint8Array([0x89, 0x50, 0, 1, 2, 3, 0]), "new.ts": `${secret}\n` },
      "harbor.ts": `one\nconst apiKey = "${secret}";\nconst url = "https://me:${secret}@host";\n`,
    });
    repository.git("mv", "old.ts", "moved.ts");
    repository.git("reset", "--quiet", "new.ts");
    answer = finding("harbor.ts", 2, `const apiKey = "${placeholder}";`);
    const found = await review();
    assert.doesNotMatch(JSON.stringify(setup.local.requests), new RegExp(`${secret}|\\.env|id_rsa|new\\.ts`));
    assert.deepEqual(linesOf(found), ["harbor.ts:2-2"]);
    assert.deepEqual(skipped(found), ["package-lock.json lock file", "picture.png binary"]);
    assert.deepEqual([found.secretFiles, found.reviewed], [2, 1]);
  });

  it("is also about files that Git does not track, but for what cannot be or is not to be reviewed", async () => {
    repository.commit("Begin", { ".gitignore": "build/\n" });
    const outside = join(repository.folder, "..", "outside");
    writeFileSync(outside, secret);
    symlinkSync(outside, join(repository.folder, "link.ts"));
    const files: readonly (readonly [string, string | Uint8Array])[] = [
      ["new.ts", `\uFEFFone\r\nconst apiKey = "${secret}";\r\nlast`],
      ['码头 "a"\n.ts', "quoted words\n"],
      ["empty.ts", ""],
      ["build/out.ts", secret],
      ["hidden/notes.ts", secret],
      [".env", secret],
      ["deep/id_rsa", secret],
      ["picture.png", new Uint8Array([0x89, 0x50, 0, 1, 2, 3])],
      ["large.ts", `// ${secret}\n`.repeat(30_000)],
      ["api.ts", `// @generated\n${secret}\n`],
      ["yarn.lock", secret],
    ];
    for (const [path, content] of files) repository.write(path, content);
    answer = [
      finding("new.ts", 2, `const apiKey = "${placeholder}";`),
      finding("new.ts", "3-9"),
      finding("new.ts", 4),
      finding(JSON.stringify('码头 "a" .ts'), 1, "quoted words"),
    ].join("");
    const found = await review();
    const diff = /- untracked new\.ts\n[^]*```diff\n@@ -0,0 \+1,3 @@\n1\|\+.?one\n2\|\+const apiKey.*\n3\|\+last\n```/;
    assert.match(sent(), diff);
    assert.doesNotMatch(JSON.stringify(setup.local.requests), new RegExp(`${secret}|build|\\.env|id_rsa`));
    assert.deepEqual(linesOf(found).toSorted(), ["new.ts:2-2", "new.ts:3-3", '码头 "a"\n.ts:1-1']);
    assert.equal(found.unlocated.length, 1);
    assert.deepEqual(skipped(found), [
      "api.ts generated",
      "hidden/notes.ts excluded",
      "large.ts large",
      "link.ts unread",
      "picture.png binary",
      "yarn.lock lock file",
    ]);
    assert.deepEqual([found.secretFiles, found.reviewed], [2, 2]);
  });

  it("is about code that speaks of generated files, beside a long line, after many files without a diff", async () => {
    const gone = Array.from({ length: 201 }, (_, index) => [`a/${index}.txt`, "\n"] as const);
    const start = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    const lines = [...start, 'const mark = "@generated";', "x".repeat(4_000), "old", "line 1"];
    repository.commit("Begin", { ...Object.fromEntries(gone), "z.ts": lines.join("\n") });
    repository.git("rm", "-r", "--quiet", "a");
    repository.stage({ "z.ts": lines.with(42, "new").join("\n") });
    answer = finding("z.ts", 44, "line 1");
    const found = await review();
    assert.deepEqual([linesOf(found), found.reviewed], [["z.ts:44-44"], 1]);
  });

  it("is about what is different in files with a new name", async () => {
    const textOf = (path: string): readonly string[] =>
      Array.from({ length: 30 }, (_, index) => `words of line ${index + 1} of ${path.slice(0, 1)}`);
    for (const path of ["old [a].ts", "id_rsa", "same.ts"]) repository.write(path, textOf(path).join("\n"));
    repository.commit("Begin");
    for (const [from, to] of Object.entries({ "old [a].ts": "0:码头.ts", id_rsa: "key.ts" })) {
      repository.git("mv", from, to);
      repository.write(to, textOf(from).with(19, "other words").join("\n"));
    }
    repository.git("mv", "same.ts", "moved.ts");
    repository.git("add", "--all");
    answer = finding('"0:码头.ts"', 20, "other words") + finding("moved.ts", 1) + finding("0:码头.ts", 2);
    const found = await review();
    assert.match(sent(), /- renamed "old \[a\]\.ts" -> "0:码头\.ts"\n/);
    const hunk = /@@ -17,7 \+17,7 @@.*\n(?:1[789]\| words.*\n){3}\|-words of line 20.*\n20\|\+other words\n/;
    assert.match(sent(), hunk);
    assert.doesNotMatch(sent(), /id_rsa|key\.ts|words of line 2 /);
    assert.deepEqual(linesOf(found), ["0:码头.ts:20-20"]);
    assert.deepEqual([found.unlocated.length, found.reviewed, found.skipped.length, found.secretFiles], [2, 1, 0, 1]);
  });

  it("is about all lines of a new name that Git only knows of", async () => {
    repository.commit("Begin", { "old.ts": "one\ntwo\nthree\n".repeat(9) });
    renameSync(join(repository.folder, "old.ts"), join(repository.folder, "new.ts"));
    repository.git("add", "--intent-to-add", "new.ts");
    answer = finding("new.ts", 27);
    assert.deepEqual(linesOf(await review()), ["new.ts:27-27"]);
    assert.match(sent(), /- renamed old\.ts -> new\.ts\n[^]*27\|\+three\n/);
  });

  it("says what it could not read of a file with a new name", async () => {
    repository.write("old.ts", "one\ntwo\nthree\n".repeat(9));
    changeHarbor();
    repository.git("mv", "old.ts", "new.ts");
    repository.stage();
    repository.git("config", "diff.external", "echo");
    await assert.rejects(review(), { kind: "nothingToReview" });
  });

  it("never exceeds the budget, and names what is cut", async () => {
    repository.commit("Begin", { "small.ts": "one\n", "large.ts": "one\n" });
    repository.write("small.ts", "two\n");
    repository.write("large.ts", "const ship = new Ship('码头', 12345);\n".repeat(3_000));
    settings = limitTo("gpt-5.3-codex", 8_000);
    answer = finding("small.ts", 1, "two") + finding("large.ts", 3_000);
    const found = await review();
    const [rules = "", content = ""] = messages();
    assert.ok(estimateTokens(rules) + estimateTokens(content) <= 8_000);
    assert.deepEqual(found.skipped, [{ path: "large.ts", reason: "cut" }]);
    assert.deepEqual(linesOf(found), ["small.ts:1-1"]);
    settings = limitTo("gpt-5.3-codex", 100);
    await assert.rejects(review(), { kind: "changesTooLong" });
  });

  it("says why there is none, and sends nothing then", async () => {
    await assert.rejects(review(), { kind: "nothingToReview" });
    repository.write("empty.ts", "");
    repository.write("new.bin", new Uint8Array(9));
    await assert.rejects(review(), { kind: "nothingToReview" });
    repository.commit("Begin", { "old.ts": "one\n" });
    repository.git("rm", "--quiet", "old.ts");
    await assert.rejects(review(), { kind: "nothingToReview" });
    repository.commit("Remove");
    repository.stage({ ".env": "A=1\n" });
    await assert.rejects(review(), { kind: "onlySecretFiles" });
    assert.equal(setup.local.requests.length, 0);
  });

  it("says so if the answer is no review, or truncated before a finding", async () => {
    changeHarbor();
    answer = "\n";
    await assert.rejects(review(), { kind: "noReview" });
    answer = "I like it.";
    assert.deepEqual((await review()).others, "I like it.");
    answer = "<findings></findings>";
    setup.local.mode({ finish: "length" });
    await assert.rejects(review(), { kind: "cutOff" });
    answer = finding("harbor.ts", 1).repeat(4);
    const found = await review();
    assert.deepEqual([linesOf(found)[0], found.isTruncated], ["harbor.ts:1-1", true]);
  });
});
