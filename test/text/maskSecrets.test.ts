import assert from "node:assert/strict";
import fc from "fast-check";
import { maskLines, maskText, secretMark } from "../../src/text/maskSecrets.ts";

const letters = fc.string({
  unit: fc.integer({ min: 0, max: 35 }).map((digit) => digit.toString(36)),
  minLength: 24,
  maxLength: 40,
});

describe("masking secrets", () => {
  const shapes: readonly (readonly [string, (secret: string) => string])[] = [
    ["an OpenAI key", (secret) => `+const key = "sk-${secret}"`],
    ["a project key", (secret) => ` sk-proj-${secret}`],
    ["a Stripe key", (secret) => `-stripe: sk_live_${secret}`],
    ["a GitHub token", (secret) => `+ghp_${secret}`],
    ["a fine-grained GitHub token", (secret) => `+x github_pat_${secret}`],
    ["a GitLab token", (secret) => `+glpat-${secret}`],
    ["an npm token", (secret) => `+//registry.npmjs.org/:_authToken=npm_${secret}`],
    ["a Slack token", (secret) => `+xoxb-${secret}`],
    ["a Google key", (secret) => `+AIza${secret}AAAAAAAAAAA`],
    ["a web token", (secret) => `+eyJhbGciOi.${secret}.${secret}`],
    ["a header", (secret) => `+  "Authorization": "Bearer ${secret}"`],
    ["basic authentication", (secret) => `+  Authorization: Basic ${secret}A==`],
    ["a password in a URL", (secret) => `+postgres://user:${secret}@host/db`],
    ["a quoted value", (secret) => `+  dbPassword: '${secret}',`],
    ["a YAML value", (secret) => `+  client_secret: ${secret}`],
    ["an environment variable", (secret) => `+export AWS_SECRET_ACCESS_KEY=${secret}`],
    ["a JSON value", (secret) => `+  "api_key": "${secret}",`],
    ["a word in the heading of a hunk", (secret) => `@@ -1,2 +1,3 @@ TOKEN=${secret}`],
    ["a value with spaces", (secret) => `+password = "correct ${secret} staple"`],
    ["a short name", (secret) => `-DB_PASS=${secret}`],
    ["a name in camel case", (secret) => `+  dbPass: ${secret},`],
    ["a value in a connection string", (secret) => `+Server=db;Password=p ${secret};Database=x`],
    ["the last value of a connection string", (secret) => `+"Server=db;User Id=sa;Pwd=p ${secret}"`],
    ["a password with a slash in a URL", (secret) => `+postgres://user:a/${secret}@host/db`],
    ["a signature in a URL", (secret) => `+https://a.example.com/b?se=1&sig=${secret}&sp=r`],
    ["an attribute", (secret) => `+<add key="ApiKey" value="${secret}" />`],
    ["an element", (secret) => `+<dbPassword>${secret}</dbPassword>`],
    ["an argument", (secret) => `+setPassword("${secret}")`],
    ["a second argument", (secret) => `+define('DB_PASSWORD', '${secret}');`],
    ["a value with a type", (secret) => `+let password: string = "${secret}"`],
    ["each value of a list", (secret) => `+passwords = ["first", "${secret}"]`],
    ["a default", (secret) => `+const key = process.env.API_KEY ?? "${secret}";`],
    ["a default of a shell", (secret) => `+TOKEN=\${API_TOKEN:-${secret}}`],
    ["a raw string", (secret) => `+password = r"${secret}"`],
    ["a string of several lines", (secret) => `+password = """${secret}"""`],
    ["a string without its end", (secret) => `+password = "${secret}`],
    ["a string in a string", (secret) => `+  body: "{\\"password\\":\\"${secret}\\"}",`],
    ["an option", (secret) => `+mysql --password ${secret} -u root`],
    ["a user with a password", (secret) => `+curl -u admin:${secret} https://example.com`],
    ["a password in .netrc", (secret) => `+machine a login b password ${secret}`],
    ["the key of a registry", (secret) => `+{"auths":{"r":{"auth":"${secret}"}}}`],
    ["a value with a Chinese name", (secret) => `+密码：${secret}`],
    ["encoded data", (secret) => `+${secret}${secret}`],
  ];
  for (const [name, line] of shapes) {
    it(`removes ${name}`, () => {
      fc.assert(
        fc.property(letters, (secret) => {
          const [masked = ""] = maskLines([line(secret)]);
          assert.ok(!masked.includes(secret), masked);
          assert.ok(masked.includes(secretMark) || masked.includes("sk-…"), masked);
          assert.ok(masked.startsWith(line("").slice(0, 1)), masked);
        }),
      );
    });
  }

  it("removes the whole of a long value", () => {
    const long = "Ab1c".repeat(800);
    for (const [name, line] of shapes) {
      assert.doesNotMatch(maskLines([line(long)]).join("\n"), /Ab1cAb1c/, name);
    }
  });

  it("removes a private key from all lines of a diff, also if the diff shows only its end", () => {
    const key = [
      "-----BEGIN OPENSSH PRIVATE KEY-----",
      "b3BlbnNzaC1rZXk",
      "short",
      "-----END OPENSSH PRIVATE KEY-----",
    ];
    assert.deepEqual(maskLines([...key.map((line) => `+${line}`), "+after"]), [
      ...key.map(() => `+${secretMark}`),
      "+after",
    ]);
    const end = ["@@ -30,3 +30,3 @@", ` ${"A1b2".repeat(16)}`, " Zz9=", " plain"];
    assert.deepEqual(maskLines(end), ["@@ -30,3 +30,3 @@", ` ${secretMark}`, ` ${secretMark}`, " plain"]);
  });

  it("leaves code about secrets as it is", () => {
    for (const line of [
      "+function readToken(): string {",
      "+  password: string;",
      "+  const token = await readToken();",
      "+  apiKey: process.env.API_KEY,",
      "+  this.password = this.form.password;",
      "+  if (token === undefined) return;",
      "+This is risk-free and task-oriented-work.",
      "+  maxTokens: 4096,",
      "+  // The key of the entry, for basic functionality and token management",
      "+  password: ${{ secrets.DEPLOY }}",
      '+import { readToken } from "./readToken.ts";',
      '+  if (token === "function") return;',
      '+const title = t("Enter your password");',
      "+docker run -u 1000:1000 image",
      "+http://localhost:4873/@scope/package",
    ]) {
      assert.equal(maskText(line), line);
    }
  });

  it("takes linear time", () => {
    for (const part of [
      "a",
      "token",
      "token ",
      "sk-",
      "https://a:",
      "=",
      "eyJa.",
      "- ",
      "password = ",
      '"',
      'token "',
      "pwd=;",
      "<token",
      "://a:b/",
      "${TOKEN:",
      "-u a:",
      "login a password ",
    ]) {
      const started = performance.now();
      maskText(part.repeat(Math.ceil(4_000 / part.length)));
      assert.ok(performance.now() - started < 500, part);
    }
  });
});
