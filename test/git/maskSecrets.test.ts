import assert from "node:assert/strict";
import fc from "fast-check";
import { maskLines, maskText, secretMark } from "../../src/git/maskSecrets.ts";

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
    ]) {
      assert.equal(maskText(line), line);
    }
  });

  it("takes linear time", () => {
    for (const part of ["a", "token", "token ", "sk-", "https://a:", "=", "eyJa.", "- "]) {
      const started = performance.now();
      maskText(part.repeat(Math.ceil(4_000 / part.length)));
      assert.ok(performance.now() - started < 500, part);
    }
  });
});
