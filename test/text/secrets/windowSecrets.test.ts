import assert from "node:assert/strict";
import { WindowSecrets } from "../../../src/text/secrets/windowSecrets.ts";
import { placeholdersIn } from "../../support/guarded.ts";
import { longestTurn } from "../../support/longestTurn.ts";
import { randomTexts } from "../../support/randomTexts.ts";

const { base62, base64, password } = randomTexts(1);

async function learned(...texts: readonly string[]): Promise<WindowSecrets> {
  const secrets = new WindowSecrets();
  for (const text of texts) await secrets.learn(text);
  return secrets;
}

describe("the secrets of a window", () => {
  it("stay secret wherever they appear again, whatever stands around them", async () => {
    const [token, word] = [base62(40), password()];
    const key = [base64(64), base64(64), `${base64(30)}==`];
    const secrets = await learned(
      `token = "${token}"\npassword: ${word}\n`,
      ["-----BEGIN RSA PRIVATE KEY-----", ...key, "-----END RSA PRIVATE KEY-----"].join("\n"),
    );
    for (const text of [
      `${token} ${word} ${key.join(" ")}`,
      `x=${token}&y="${word}",${key.join(",")}`,
      `- name: ${word}\n+ ${token}\n// ${key.join("\n// ")}`,
      key.map((line) => `|${line}|`).join(`\n"${token}" (${word})\n`),
    ]) {
      const masked = await secrets.mask(text, "a");
      for (const secret of [token, word, ...key]) assert.ok(!masked.includes(secret), masked);
      assert.equal(secrets.restore(masked), text);
    }
  });

  it("are masked as in URLs and in JSON, too, whichever of these was found", async () => {
    const [plain, url, json] = ['Zq#8%Lm^2*"Rt', "Zq%238%25Lm%5E2*%22Rt", 'Zq#8%Lm^2*\\"Rt'];
    for (const line of [`password: '${plain}'`, `mysql://root:${url}@db`, `"password": "${json}"`]) {
      const secrets = await learned(line);
      for (const form of [plain, url, json])
        assert.match(await secrets.mask(`is ${form} right?`, "a"), /^is \[secret \d{6} removed\] right\?$/, line);
    }
  });

  it("are recognized if a long one is cut at either end", async () => {
    const token = base62(120);
    const secrets = await learned(`token = "${token}"`);
    for (const part of [token.slice(0, 30), token.slice(-30), token.slice(20, 90), `${token.slice(0, 50)}…`]) {
      assert.match(await secrets.mask(`a\n${part}\nb`, "a"), /^a\n\[secret \d{6} removed\]…?\nb$/);
    }
  });

  it("are recognized without what was part of the same value", async () => {
    const token = base62(20);
    for (const line of [
      `token=${token}&user=bob`,
      `TOKEN=${token},OTHER=abc`,
      `https://hooks.slack.com/services/T00000000/B00000000/${token}`,
    ]) {
      const secrets = await learned(line);
      assert.equal(placeholdersIn(await secrets.mask(`${token}\nend`, "a")).length, 1, line);
    }
  });

  it("are masked only in their context if they are words", async () => {
    const secrets = await learned("url: postgres://app:postgres@db.internal/app");
    const text = "postgres://app:postgres@db.internal/app, and postgres() is a function";
    const masked = await secrets.mask(text, "a");
    assert.match(masked, /^postgres:\/\/app:\[secret \d{6} removed\]@db.*, and postgres\(\) is a function$/);
  });

  it("are masked where they are attached to an option, and nothing before or after them", async () => {
    const secrets = await learned("mysql -u root -pTr0ub4dor3x db\npassphrase: correct-horse-battery-staple");
    const masked = await secrets.mask("mysql -pTr0ub4dor3x db\npassphrase: correct-horse-battery-staple.", "a");
    assert.match(masked, /^mysql -p\[secret \d{6} removed\] db\npassphrase: \[secret \d{6} removed\]\.$/);
  });

  it("are not masked in longer words if they are short", async () => {
    const secrets = await learned("password: tr0ub4d");
    assert.equal(await secrets.mask("tr0ub4dor xtr0ub4d", "a"), "tr0ub4dor xtr0ub4d");
    assert.equal(placeholdersIn(await secrets.mask("(tr0ub4d) tr0ub4d.", "a")).length, 2);
    const escaped = "a\\ntr0ub4d\\tb \\ttr0ub4d \u001b[01;31m\u001b[Ktr0ub4d\u001b[m";
    assert.equal(placeholdersIn(await secrets.mask(escaped, "a")).length, 3);
  });

  it("have placeholders that reveal nothing about them, and stay the same in a conversation", async () => {
    const [one, other] = [base62(24), base62(24)];
    const secrets = await learned(`token = "${one}"\ntoken = "${other}"`);
    const first = await secrets.mask(`${one} ${one} ${other}`, "question 0");
    assert.equal(new Set(placeholdersIn(first)).size, 3);
    assert.equal(await secrets.mask(`${other} ${one} ${one}`, "question 0"), first);
    const second = await secrets.mask(`${one} ${one} ${other}`, "question 1");
    assert.equal(new Set(placeholdersIn(first + second)).size, 6);
    // Another window, and so a later one, has others.
    const elsewhere = await (await learned(`token = "${one}"`)).mask(one, "question 0");
    assert.ok(!first.includes(elsewhere));
  });

  it("are not masked in lines of answers, so that no placeholder reveals a right guess", async () => {
    const secret = password();
    const secrets = await learned(`password: ${secret}`);
    const guesses = Array.from({ length: 1_600 }, (_, index) => (index === 800 ? secret : base62(12)));
    for (const separator of ["\n", ", ", "/"]) {
      await secrets.noteAnswer(`+${guesses.join(separator.replace("\n", "\n+"))}`);
      const applied = `before\n+${guesses.join(separator)}\nafter`;
      assert.equal(await secrets.mask(applied, "a"), applied);
    }
    assert.equal(placeholdersIn(await secrets.mask(`the password is ${secret}`, "a")).length, 1);
  });

  it("are found where their name is in the piece of a long text before", async () => {
    const secret = password();
    const secrets = await learned(`${"// a line\n".repeat(1_638)}password:\n  # set by ops\n  ${secret}\n`);
    assert.equal(placeholdersIn(await secrets.mask(`"${secret}"`, "a")).length, 1);
  });

  it("are learned and found in short steps, however long a text is", async () => {
    const secrets = await learned(Array.from({ length: 3_000 }, () => `token = "${base62(32)}"`).join("\n"));
    for (const text of [`token = "${base62(30)}"\n`, "\n", "a", "[secret "]) {
      const long = text.repeat(1_000_000 / text.length);
      using watch = longestTurn();
      await secrets.learn(long);
      await secrets.mask(long, "a");
      await secrets.noteAnswer(long);
      // In one step, the first two texts take 2 to 4 s.
      assert.ok(watch.longest < 1_000, `${watch.longest} ms for ${JSON.stringify(text)}`);
    }
  });
});
