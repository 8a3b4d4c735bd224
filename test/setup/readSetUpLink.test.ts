import assert from "node:assert/strict";
import { UserError } from "../../src/failures/userError.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import { readSetUpLink, setUpQuery } from "../../src/setup/readSetUpLink.ts";
import { plainL10n } from "../support/plainL10n.ts";

const link = { path: "/setup", fragment: "" };

/** Reads a link with this query, decoded once, as VS Code does. */
function read(query: string): ReturnType<typeof readSetUpLink> {
  return readSetUpLink({ ...link, query: decodeURIComponent(query) }, plainL10n);
}

describe("a set-up link", () => {
  const a = "https://a.example";
  for (const [query, baseUrl = "", backupBaseUrl = "", model = ""] of [
    [`baseUrl=${a}%2Fv1%2F&backupBaseUrl=${a}%2Fb&model=m`, a, `${a}/b`, "m"],
    [`baseUrl=${a}/a+b&model=gpt+5`, `${a}/a+b`, "", "gpt+5"],
    [`baseUrl=${a}/a%252Bb%252520&backupBaseUrl=${a}/c+d=%2526`, `${a}/a%2Bb%2520`, `${a}/c+d=%26`],
    ["baseUrl=http://localhost:3/a/", "http://localhost:3/a"],
    ["baseUrl=https://xn--gatway-4of.example", "https://xn--gatway-4of.example"],
  ] as const)
    it(`sets what it names, decoded once, and is copied so: ${query}`, () => {
      const values = { baseUrl, backupBaseUrl, model };
      assert.deepEqual([read(query), read(setUpQuery(values))], [values, values]);
    });

  it("is copied without a model whose name links cannot have", () => {
    assert.equal(read(setUpQuery({ baseUrl: a, backupBaseUrl: "", model: "模型" })).model, "");
  });

  const https = "baseUrl=https://a.example";
  const [noEntry, noModel] = ["it has no base URL", "its model name cannot be used"];
  const keyOrCommand = "it contains a key or a command";
  const letters = (host: string): string => `its host has non-ASCII characters: ${host}`;
  const refused = [
    ["", noEntry],
    ["baseUrl=", noEntry],
    [`${https}&model=a\u2028b`, noModel],
    [`${https}&model=${"m".repeat(300)}`, noModel],
    ...["key", "apiKey", "token", "keyCommand.codex", "command", "password"].map(
      (name) => [`${https}&${name}=x`, keyOrCommand] as const,
    ),
    [`${https}&model=sk-1234567890`, keyOrCommand],
    ["baseUrl=https://a.example/sk-1234567890", keyOrCommand],
    ["baseUrl=https://a.example/%2573k-1234567890", keyOrCommand],
    ...["allowInsecureHttp", "certificateFile", "BaseUrl", "__proto__", "constructor"].map(
      (name) => [`${https}&${name}=x`, `its parameter “${name}” is unknown`] as const,
    ),
    [`${https}&baseUrl=https://b.example`, "its parameter “baseUrl” appears twice"],
    [`${https}%26model=a%26model=b`, "its parameter “model” appears twice"],
    ["baseUrl=https://g\u0430teway.example", letters("xn--gteway-3nf.example")],
    ["baseUrl=https://a.example\u2215.b.example", letters("a.xn--example-if0d.b.example")],
    ["baseUrl=https://a\u200B.example", letters("a.example")],
    ["baseUrl=http://a.example", "insecure"],
    [`${https}&backupBaseUrl=http://b.example`, "insecure"],
    ["baseUrl=https://a.example/%23x", "query"],
    ["baseUrl=command:workbench.action.quit", "scheme"],
    ["baseUrl=https://a.example%5C.b.example", "characters"],
    [`${https}&model=${"x".repeat(9_000)}`, "it is too long"],
  ] as const;
  for (const [query, flaw] of refused)
    it(`is refused with ${query.slice(0, 100)}`, () => {
      const flawOf = (error: unknown): unknown =>
        error instanceof GatewayError ? error.flaw : error instanceof UserError && error.subject;
      const isRight = (error: unknown): boolean => flawOf(error) === flaw;
      assert.throws(() => read(query), isRight);
    });

  it("is refused with a fragment, or for something else than set-up", () => {
    assert.throws(() => readSetUpLink({ path: "/setup", query: https, fragment: "x" }, plainL10n), {
      subject: "it has a fragment",
    });
    for (const path of ["", "/", "/setup/", "/Setup", "/setup/x", "/../setup", "/run"])
      assert.throws(() => readSetUpLink({ path, query: https, fragment: "" }, plainL10n), {
        subject: "it is not a set-up link",
      });
  });
});
