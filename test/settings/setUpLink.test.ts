import assert from "node:assert/strict";
import { readSetUpLink, setUpQuery } from "../../src/settings/setUpLink.ts";

const link = { path: "/setup", fragment: "" };

/** Reads a link with this query, decoded once, as VS Code does. */
function read(query: string): ReturnType<typeof readSetUpLink> {
  return readSetUpLink({ ...link, query: decodeURIComponent(query) });
}

describe("a set-up link", () => {
  it("sets the entries in their usual form, and the model", () => {
    const query = "baseUrl=https%3A%2F%2Fa.example%2Fv1%2F&backupBaseUrl=https%3A%2F%2Fb.example&model=gpt-5.5";
    const values = { baseUrl: "https://a.example", backupBaseUrl: "https://b.example", model: "gpt-5.5" };
    assert.deepEqual(read(query), values);
    assert.deepEqual(read(setUpQuery(values)), values);
  });

  it("needs only an entry, which may be on this machine", () => {
    const values = { baseUrl: "http://localhost:3000/a", backupBaseUrl: "", model: "" };
    assert.deepEqual(read("baseUrl=http://localhost:3000/a/"), values);
  });

  it("shows hosts in Punycode as they are", () => {
    assert.equal(read("baseUrl=https://xn--gatway-4of.example").baseUrl, "https://xn--gatway-4of.example");
  });

  const https = "baseUrl=https://a.example";
  const naming =
    <Flaw>(flaw: Flaw) =>
    (name: string) =>
      [`${https}&${name}=x`, flaw] as const;
  const refused = [
    ["", "noEntry"],
    ["baseUrl=", "noEntry"],
    [`${https}&model=%20a`, "model"],
    [`${https}&model=${"m".repeat(300)}`, "model"],
    ...["key", "apiKey", "token", "keyCommand.codex", "command", "password"].map(naming("carriesKey")),
    [`${https}&model=sk-1234567890`, "carriesKey"],
    ["baseUrl=https://a.example/sk-1234567890", "carriesKey"],
    ["baseUrl=https://a.example/%2573k-1234567890", "carriesKey"],
    ...["allowInsecureHttp", "certificateFile", "BaseUrl", "__proto__", "constructor"].map(naming("unknown")),
    [`${https}&baseUrl=https://b.example`, "twice"],
    [`${https}&model=a&model=b`, "twice"],
    [`${https}%26model=a%26model=b`, "twice"],
    ["baseUrl=https://g\u0430teway.example", "letters"],
    ["baseUrl=https://gate\u2024example.com", "letters"],
    ["baseUrl=https://\uFF41.example", "letters"],
    ["baseUrl=https://a.example\u2215.b.example", "letters"],
    ["baseUrl=https://a\u200B.example", "letters"],
    ["baseUrl=https://a.example/\u202Egpj", "letters"],
    ["baseUrl=http://a.example", "insecure"],
    ["baseUrl=http://127.0.0.1.a.example", "insecure"],
    ["baseUrl=http://10.0.0.1", "insecure"],
    [`${https}&backupBaseUrl=http://b.example`, "insecure"],
    ["baseUrl=https://user@a.example", "credentials"],
    ["baseUrl=https://user:pass@a.example", "credentials"],
    ["baseUrl=https://a.example/%23x", "query"],
    ["baseUrl=https://a.example/%3Fx", "query"],
    ["baseUrl=ftp://a.example", "scheme"],
    ["baseUrl=javascript:alert(1)", "scheme"],
    ["baseUrl=command:workbench.action.quit", "scheme"],
    ["baseUrl=a.example", "notUrl"],
    ["baseUrl=https:a.example", "notUrl"],
    ["baseUrl=https://a.example%5C.b.example", "characters"],
    ["baseUrl=https://a.example%0A.b.example", "characters"],
    ["baseUrl=https://a.example /x", "characters"],
    [`baseUrl=https://a.example/${"x".repeat(3_000)}`, "tooLong"],
    [`${https}&model=${"x".repeat(9_000)}`, "tooLong"],
  ] as const;
  for (const [query, flaw] of refused)
    it(`is refused with ${query.slice(0, 100)}`, () => {
      assert.throws(() => read(query), { flaw });
    });

  it("is refused with a fragment, or for something else than set-up", () => {
    assert.throws(() => readSetUpLink({ path: "/setup", query: https, fragment: "x" }), { flaw: "fragment" });
    for (const path of ["", "/", "/setup/", "/Setup", "/setup/x", "/../setup", "/run"])
      assert.throws(() => readSetUpLink({ path, query: https, fragment: "" }), { flaw: "path" });
  });
});
