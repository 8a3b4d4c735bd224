import assert from "node:assert/strict";
import { findSecrets } from "../../../src/text/secrets/findSecrets.ts";
import { processorTime } from "../../support/assertLinear.ts";
import { randomTexts } from "../../support/randomTexts.ts";

/** How long a text takes at most, in the time that it takes to split it into words, and at least, in milliseconds. */
const longest = 10;
const least = 60;

const pieces = [
  "a| |0|中|=|:|,|[|{|(|\"|'|\\|-|<|>|@|$|/|.|&|;|`|_|💥|\t|密码|密码:|密码是|key|key:|key: |key=\"|key=\\\"|key='a' |token ",
  'token,|pwd=abcde;|pwd=a1b2c3;|password=[|password=[ key aaaaaaaaaaaa |password=key.aaaa.|"token":"abcdefgh",|key1:abcdef,',
  'value: a name: key |{"value":"|<token|<token>|<key>token</key>|<a name="key" |token is |--password |${TOKEN:|login(|login("a",',
  "sk-|sk-abcdefghijklmn |eyJa.|$2a$aaaaaaaaaaaaaaaaaaaa|://a:b/|https://a:|https://a:b@|a:b@|a/b@|AKIA|1:AA|?sig=abc",
  "LS0tLS1CRUdJTi|curl |curl -u a:|curl -su a:b |mysql -p |echo a |login <<< |authorization: |bearer |machine a login a ",
  "*:*:|[1,2,|Ab1/|-----|-----BEGIN |-----BEGIN PRIVATE KEY-----|-----BEGIN PRIVATE KEY-----MIIEpAIBAAKCAQEA ",
  "-----END PRIVATE KEY-----",
].flatMap((some) => some.split("|"));
const lines = [
  "¦a¦password:¦password: |¦password: Tiger12¦password=<<EOF¦name: PASSWORD¦value: Tiger12¦kind: Secret¦---\ndata:",
  "data:\n  a: Tiger12¦credentials:\n a:\n  b: c¦passwords:\n- a¦secrets: {¦curl \\¦-----BEGIN PRIVATE KEY-----",
  "Private-Lines: 9¦@@ ",
].flatMap((some) => some.split("¦"));
const { base62, base64, of } = randomTexts(1);
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");
const words = "key password token = : \" ' [ { value name , \\ curl -u x:y < > a1b2c3 & $".split(" ");
const size = 200_000;
const repeated = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));
const texts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(pieces.map((piece) => [piece, repeated(piece)])),
  ...Object.fromEntries(lines.map((line) => [`${line}\n`, repeated(`${line}\n`)])),
  "names of their own": Array.from({ length: size / 16 }, () => `key${base62(5)}:abcdef,`).join(""),
  "values of their own": Array.from({ length: size / 12 }, () => `pwd=${base62(7)};`).join(""),
  "random words": base62(size),
  "random data": base64(size).replace(/.{64}/g, "$&\n"),
  "random characters": of(printable, size),
  "random lines": of(`${printable}\n\n`, size),
  "random syntax": Array.from(
    { length: size / 4 },
    () => words[of("abcdefghijklmnopqrstuvw", 1).charCodeAt(0) - 97],
  ).join(" "),
  "a name before blanks": `password:\n${repeated(" ")}\n`.repeat(2),
  "names before a long line": `${"password: |\n".repeat(50)}  ${repeated(")")}`,
  "nested sections": Array.from({ length: 600 }, (_, at) => `${" ".repeat(at)}passwords:`).join("\n"),
};

describe("finding secrets takes linear time", () => {
  for (const [title, text] of Object.entries(texts)) {
    it(`in ${JSON.stringify(title)}, repeated`, () => {
      const plain = processorTime(() => text.replace(/\w+|\W/g, (part) => part));
      let [time, tries] = [Infinity, 0];
      for (; tries < 3 && time > longest * Math.max(plain, least); tries += 1)
        time = processorTime(() => findSecrets(text.split("\n")));
      assert.ok(time <= longest * Math.max(plain, least), `${time} ms, and ${plain} ms for a plain scan`);
    });
  }

  it("and finds secrets in the middle of a long line, and among thousands of names", () => {
    const [password, token] = [base62(11).concat("4x"), base62(36)];
    const words = '{"id":1,"text":"some words","more":[1,2,3]},'.repeat(5_000);
    for (const [secret, form, rest = words] of [
      [password, `{"value":"${password}","name":"DB_PASSWORD"},`],
      [token, `{"url":"https://x.io?access_token=${token}"},`],
      [token, `ghp_${token}`],
      [password, `"password":"${password}",`, "key: ".repeat(5_000)],
    ] as const) {
      const line = rest + form + rest;
      const found = findSecrets([line])[0]?.map(({ start, end }) => line.slice(start, end));
      assert.ok(found?.join("\n").includes(secret), form);
    }
  });
});
