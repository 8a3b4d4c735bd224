import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateMessage, type MessageServices, type WrittenMessage } from "../../src/git/generateMessage.ts";
import type { Repository } from "../../src/git/gitApi.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { estimateTokens } from "../../src/prompts/estimateTokens.ts";
import { TokenCounter } from "../../src/prompts/tokenCounter.ts";
import { guarded } from "../support/guarded.ts";
import { limitTo, messagesOf, refusalOf, repositoryOf } from "../support/git/gitApi.ts";
import { createRepository, type GitFolder } from "../support/git/gitFolder.ts";
import { withLocalClient } from "../support/localClient.ts";
import { allPlainSettings } from "../support/plainSettings.ts";

describe("a commit message for a Git repository", () => {
  let repository: GitFolder;
  let settings: Settings;
  let cut: number;
  let answer: string;
  const setup = withLocalClient({
    reply: () => ({ text: `<commit-message>\n${answer}\n</commit-message>`, calls: [] }),
  });
  beforeEach(() => {
    repository = createRepository();
    settings = allPlainSettings;
    cut = 0;
    answer = "Explain the harbor";
  });
  afterEach(() => {
    repository[Symbol.dispose]();
  });

  const generate = (
    target: Repository = repositoryOf(repository),
    previous?: WrittenMessage,
    signal = new AbortController().signal,
  ): Promise<WrittenMessage> => {
    const services: MessageServices = {
      ...guarded(setup.client.gateway),
      settings: () => settings,
      tokens: new TokenCounter(),
      log: { info: (line: string) => (cut = Number(/of (\d+) diff/.exec(line)?.[1])) },
    };
    return generateMessage(services, target, previous, signal);
  };

  const boxWith = (value: string): Repository => ({ ...repositoryOf(repository), inputBox: { value } });

  /** The text of the last request, as it left. */
  const sent = (): string => JSON.stringify(setup.local.requests.at(-1)?.body ?? "");
  const userText = (): string => messagesOf(setup.local.requests).at(-1) ?? "";
  const refusal = async (target?: Repository): Promise<string> => {
    const kind = await refusalOf(generate(target));
    assert.equal(setup.local.requests.length, 0);
    return kind;
  };

  it("is not waited for beyond what can be a message", async () => {
    repository.write("harbor.ts", "export const ships = 1;\n");
    answer = `Add a pier\n\n${"word ".repeat(20_000)}`;
    const { messages } = await generate();
    assert.ok((messages[0] ?? "").length <= 4_000);
    assert.deepEqual(setup.client.usages, [], "the end of the answer did not come");
  });

  it("is written from the staged changes alone, by the model of the setting", async () => {
    const [harbor, pier] = ["export const ships = ", "export const boats = "];
    repository.commit("Add the harbor", { "harbor.ts": `${harbor}1;\n`, "pier.ts": `${pier}1;\n` });
    repository.stage({ "harbor.ts": `${harbor}2;\n` });
    repository.write("pier.ts", `${pier}2;\n`);
    const target = repositoryOf(repository);
    const written = await generate(target);
    assert.equal(target.inputBox.value, "Explain the harbor");
    assert.deepEqual(written, { typed: "", messages: [target.inputBox.value] });
    assert.match(
      userText(),
      /^Staged changes:\n- modified harbor\.ts\n\nDiff of harbor\.ts:\n```diff\n@@ [^]*ships = 2;\n```/,
    );
    assert.match(userText(), /Earlier subjects[^]*\nAdd the harbor\n/);
    assert.doesNotMatch(sent(), /pier|boats/);
    assert.match(sent(), /"model":"gpt-5\.4-mini"/);
    assert.doesNotMatch(sent(), /"tools"/);
  });

  it("is written from all changes if nothing is staged, with untracked files by path only", async () => {
    repository.commit("Add the harbor", { "harbor.ts": "export const ships = 1;\n" });
    repository.write("harbor.ts", "export const ships = 2;\n");
    repository.write("new/lighthouse.ts", "export const lamps = 7;\n");
    await generate();
    assert.match(userText(), /^Changes \(nothing is staged\):\n- modified harbor\.ts\n- untracked new[^]*ships = 2/);
    assert.doesNotMatch(sent(), /lamps/);
  });

  it("names renames, submodules, binary, lock and generated files without their contents", async () => {
    using other = createRepository();
    other.commit("Inner", { "inner.txt": "inner words\n" });
    repository.commit("Begin", {
      "old name.ts": "export const words = 'moved words';\n".repeat(20),
      "package-lock.json": "{}\n",
      "gone.ts": "gone words\n",
    });
    repository.git("mv", "old name.ts", "new.ts");
    repository.git("rm", "--quiet", "gone.ts");
    repository.git("submodule", "--quiet", "add", other.folder, "sub");
    repository.stage({
      "package-lock.json": '{"lock": "locked words"}\n',
      "picture.png": new Uint8Array([0x89, 0x50, 0, 1, 2, 3, 0]),
      "api.pb.go": "package generated // generated words\n",
      "made.ts": "// Code generated by hand. DO NOT EDIT.\nexport const made = 'made words';\n",
    });
    await generate();
    const list = userText().split("\n\n")[0]?.split("\n") ?? [];
    const expected = [
      '- renamed "old name.ts" -> new.ts',
      "- deleted gone.ts",
      "- modified package-lock.json (lock file)",
      "- added picture.png (binary)",
      "- added api.pb.go (generated)",
      "- added made.ts (generated)",
      "- added sub (submodule)",
      "- added .gitmodules",
    ];
    assert.deepEqual(list.slice(1).toSorted(), expected.toSorted());
    assert.doesNotMatch(sent(), /(?:moved|gone|locked|generated|made|inner) words/);
  });

  it("works in an empty repository, in the language of the setting", async () => {
    repository.stage({ "first.ts": "export const first = 1;\n" });
    await generate();
    assert.match(userText(), /- added first\.ts\n[^]*\+export const first = 1;/);
    assert.doesNotMatch(sent(), /Earlier subjects/);
    assert.match(sent(), /in the language of the earlier subjects, or in English/);
    settings = { ...settings, commitMessageLanguage: "Deutsch" };
    await generate();
    assert.match(sent(), /Write in this language: Deutsch\./);
  });

  it("quotes file names in Chinese, with quotation marks, line breaks and patterns, and fences what has a fence", async () => {
    const names = ["文档/说明.md", 'say "hello".txt', "line\nbreak.txt", "[id].ts", "star*.ts", ":(top).ts"];
    repository.stage(Object.fromEntries(names.map((name) => [name, `\`\`\`\ntext of ${JSON.stringify(name)}\n`])));
    await generate();
    const text = userText();
    for (const name of names) {
      const quoted = JSON.stringify(name.replace("\n", " "));
      assert.ok(text.includes(`\n- added ${quoted}\n`), `${quoted} in\n${text}`);
      assert.ok(text.includes(`\n+text of ${JSON.stringify(name)}\n\`\`\`\``), name);
    }
  });

  it("sends no file that a name with a pattern matches too", async () => {
    const hidden = "HIDDEN=swordfish-and-more\n";
    repository.stage({ "*": hidden, "[a.]env": hidden, ".env": hidden, "plain.txt": "plain\n" });
    await generate();
    assert.doesNotMatch(sent(), /\.env"?\\n\+|diff --git/);
    assert.match(userText(), /1 files that are withheld/);
  });

  it("never sends secrets, whether the file is tracked, untracked, renamed, or an ordinary one", async () => {
    const secrets = {
      ".env": "DATABASE=postgres-envvalue\n",
      "deploy/server.pem": "-----BEGIN PRIVATE KEY-----\nPEMPEMPEMVALUE\n-----END PRIVATE KEY-----\n",
      "credentials.json": '{"value": "credentialsvalue"}\n',
    };
    const removed = 'password: "removedvalue4xK9q with spaces"\nDB_PASS=removedvalue4xK9q\n';
    const key = "MIIEpAIBAAKCAQEAkeyvaluekeyvaluekeyvaluekeyvaluekeyvalue\ntailvalue==";
    const added = `port: 81\npassword: yamlvalue4xK9q\n-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----\n`;
    repository.git("config", "commit.template", "template.txt");
    repository.commit("Begin with sk-subjectvalue12345678901234567890", {
      "template.txt": "Use sk-templatevalue12345678901234567890\n",
      ...{ ...secrets, "settings.yml": `port: 80\n${removed}`, "moved.yml": removed.repeat(27) },
      id_rsa: "renamedvalue\n".repeat(9),
    });
    for (const [path, text] of Object.entries(secrets)) repository.write(path, `${text}# changed trackedvalue\n`);
    repository.write("settings.yml", added);
    for (const isStaged of [false, true]) {
      repository.write("other/.env.local", "untrackedvalue\n");
      if (isStaged) {
        repository.git("add", "--all");
        repository.git("mv", "id_rsa", "notes.txt");
        repository.git("mv", "moved.yml", "elsewhere.yml");
        repository.stage({ "elsewhere.yml": `${removed.repeat(27)}password: addedremovedvalue4xK9q\n` });
      }
      const target = boxWith("Change it with sk-typedvalue12345678901234567890");
      await assert.rejects(generate(target), { kind: "notContinued" });
      assert.match(userText(), /port: 81[^]*Template:\n```\nUse \[secret/);
      assert.doesNotMatch(
        sent(),
        /removedvalue|envvalue|PEMVALUE|renamedvalue|trackedvalue|yamlvalue|keyvalue|tailvalue|subjectvalue|templatevalue|typedvalue|server\.pem|credentials|id_rsa|\.env/,
      );
    }
  });

  it("sends nothing if only files that may hold secrets have changed", async () => {
    repository.stage({ ".env": "A=1\n" });
    assert.equal(await refusal(), "onlySecretFiles");
  });

  it("cuts changes to the budget, the largest files first, and counts these, or says that nothing fits", async () => {
    for (let at = 0; at < 40; at += 1) repository.write(`one of the middle/${at}.txt`, `line ${at}\n`.repeat(600));
    repository.stage({
      "large.txt": "a line of the large file\n".repeat(30_000),
      "small.txt": "a small file\n".repeat(3),
    });
    await generate();
    assert.ok(estimateTokens(sent()) < 27_000, `${estimateTokens(sent())} tokens`);
    assert.equal(cut, 41);
    assert.match(userText(), /Diff of large\.txt \(cut: only its beginning\):/);
    assert.match(userText(), /Diff of small\.txt:\n```diff\n@@[^\n]*\n(?:\+a small file\n){3}```/);
    settings = limitTo("gpt-5.4-mini", 2_000);
    await generate();
    assert.ok(estimateTokens(userText()) < 2_000);
    assert.match(userText(), /- and \d+ more files(?:\n|$)/);
    await setup.local.reset();
    settings = limitTo("gpt-5.4-mini", 100);
    assert.equal(await refusal(), "changesTooLong");
  }).timeout(60_000);

  it("keeps what Git has written for a merge", async () => {
    repository.commit("One", { "a.txt": "one\n" });
    repository.git("checkout", "--quiet", "-b", "side");
    repository.commit("Side", { "b.txt": "side\n" });
    repository.git("checkout", "--quiet", "main");
    repository.commit("Two", { "a.txt": "two\n" });
    repository.git("merge", "--quiet", "--no-commit", "side");
    const target = boxWith("Merge branch 'side'");
    assert.equal(await refusal(target), "mergeInProgress");
    assert.equal(target.inputBox.value, "Merge branch 'side'");
  });

  it("follows the repository's template, but reads none outside it", async () => {
    repository.commit("One", { ".gitmessage": "# a comment\nWhy:\nHow:\n", "a.txt": "one\n" });
    repository.write("a.txt", "two\n");
    repository.git("config", "commit.template", ".gitmessage");
    // VS Code shows the template in the box: that is not typed.
    const target = boxWith("Why:\nHow:\n");
    await generate(target);
    assert.match(userText(), /Template:\n```\nWhy:\nHow:\n```/);
    assert.doesNotMatch(sent(), /a comment|begins with/);
    assert.equal(target.inputBox.value, "Explain the harbor");

    const outside = join(repository.folder, "..", "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "template"), "outside words\n");
    symlinkSync(join(outside, "template"), join(repository.folder, "linked"));
    for (const setting of [join(outside, "template"), "../outside/template", "linked", "missing"]) {
      repository.git("config", "commit.template", setting);
      await generate();
      assert.doesNotMatch(sent(), /outside words|Template:/);
    }
  });

  it("keeps what the user typed as the beginning, also when it is worded differently", async () => {
    repository.stage({ "a.txt": "one\n" });
    const target = boxWith("fix(harbor):");
    const first = await generate(target);
    assert.equal(target.inputBox.value, "fix(harbor): Explain the harbor");
    assert.match(userText(), /The message begins with:\n```\nfix\(harbor\):\n```/);
    answer = "fix(harbor): say what a pier is";
    const second = await generate(target, first);
    assert.equal(target.inputBox.value, "fix(harbor): say what a pier is");
    assert.match(userText(), /Word it differently:\n```\nfix\(harbor\): Explain the harbor\n```/);
    assert.match(userText(), /The message begins with:\n```\nfix\(harbor\):\n```/);
    await generate(target, second);
    assert.match(userText(), /Explain the harbor\n\nfix\(harbor\): say what a pier is/);
  });

  it("leaves the box as it was if nothing has changed, or the answer is empty or does not go on from there", async () => {
    const target = boxWith("typed");
    assert.equal(await refusal(target), "nothingChanged");
    repository.stage({ "a.txt": "one\n" });
    for (const [text, kind] of [
      ["```\n```", "noMessage"],
      ["something else", "notContinued"],
    ] as const) {
      answer = text;
      await assert.rejects(generate(target), { kind });
      assert.equal(target.inputBox.value, "typed");
    }
  });

  it("leaves the box as it was if it is cancelled or fails midway", async () => {
    repository.stage({ "a.txt": "one\n" });
    answer = "Explain the harbor at length, with all of its ships and piers. ".repeat(20);
    const target = boxWith("typed");
    setup.local.mode({ hold: "midAnswer" });
    const cancel = new AbortController();
    const running = generate(target, undefined, cancel.signal);
    await setup.local.until((_, held) => held === 1);
    cancel.abort();
    await assert.rejects(running, { name: "AbortError" });
    assert.equal(target.inputBox.value, "typed");
    await setup.local.until(([first]) => first?.closed !== undefined);

    await setup.local.reset();
    for (const finish of ["length", "content_filter"] as const) {
      setup.local.mode({ finish });
      await assert.rejects(generate(target), { kind: finish === "length" ? "cutOff" : "filtered" });
      assert.equal(target.inputBox.value, "typed");
    }
  });

  it("leaves the box to the user who types there meanwhile", async () => {
    repository.stage({ "a.txt": "one\n" });
    const target = repositoryOf(repository);
    setup.local.mode({ hold: "beforeHeaders" });
    const running = generate(target);
    await setup.local.until((_, held) => held === 1);
    target.inputBox.value = "my own words";
    setup.local.release();
    await assert.rejects(running, { kind: "boxChanged" });
    assert.equal(target.inputBox.value, "my own words");
  });
});
