import assert from "node:assert/strict";
import { cleaning, withoutKeys } from "../../src/base/withoutKeys.ts";

const keys = ["sk-codex-000-abcdef", "no/usual+form=12345", "k1.tok(en)[x]-$^|{2}"];

/** Every form in which a gateway may quote a key. */
const forms: readonly (readonly [name: string, form: (key: string) => string])[] = [
  ["as it is", (key) => key],
  ["within a request id", (key) => `req_${key}`],
  ["after a letter", (key) => `id${key}`],
  ["in capitals", (key) => key.toUpperCase()],
  ["in a URL", (key) => encodeURIComponent(key)],
  ["with every character encoded for a URL", (key) => key.replace(/[^]/g, (one) => `%${hexOf(one)}`)],
  ["in JSON", (key) => key.replace(/[^]/g, (one) => `\\u00${hexOf(one)}`)],
  ["in HTML", (key) => key.replace(/[^]/g, (one) => `&#x${hexOf(one)};`)],
  ["in hexadecimal", (key) => Buffer.from(key).toString("hex")],
  ["split by line ends", (key) => key.replace(/(?<=^.{6}|^.{11})/g, "\r\n  ")],
  ["split by unseen characters", (key) => key.replace(/(?<=.)/g, "\u200b")],
  ["cut in the middle of a sentence", (key) => `${key.slice(0, 10)} is wrong`],
  ["cut short at the end", (key) => `wrong: ${key.slice(0, 6)}…`],
];

const hexOf = (one: string): string => one.charCodeAt(0).toString(16).padStart(2, "0");

describe("untrusted text", () => {
  for (const key of keys) {
    const clean = cleaning(key);
    for (const [name, form] of forms)
      it(`does not reveal the key ${key} ${name}`, () => {
        const seen = clean(`before ${form(key)}`).toLowerCase();
        assert.ok(seen.startsWith("before "), seen);
        const pieces = [form(key), key].flatMap((text) => [text.slice(3, 9), text.slice(-6)]);
        for (const piece of pieces.filter((one) => form(key).includes(one) && !"is wrong".includes(one)))
          assert.ok(!seen.includes(piece.toLowerCase()), seen);
      });

    it(`does not reveal any 8 characters of the key ${key}, reversed or encoded`, () => {
      for (let start = 0; start + 8 <= key.length; start += 1) {
        const part = key.slice(start, start + 8);
        const encoded = (["hex", "base64", "base64url"] as const).map((one) => Buffer.from(part).toString(one));
        for (const form of [part, Array.from(part).reverse().join(""), ...encoded])
          assert.equal(clean(`${form}, it was`), "…, it was", form);
      }
    });

    it(`does not reveal the key ${key} in Base64, at any offset`, () => {
      for (const before of ["", "a", "ab", "Bearer ", "user:"]) {
        for (const encoding of ["base64", "base64url"] as const) {
          const echo = Buffer.from(`${before}${key}tail`).toString(encoding);
          const seen = clean(`(${echo})`);
          const left = Buffer.from(seen.replace(/[()…]/g, ""), encoding).toString("latin1");
          assert.ok(!left.includes(key.slice(3, 8)), seen);
          assert.ok(seen.length < echo.length - 8, seen);
        }
      }
    });
  }

  it("does not reveal unknown keys", () => {
    for (const text of ["req_sk-123", "SK-123", "sk%2D123", "QmVhcmVyIHNrLTEyMw==", `Bearer ${"abc123".repeat(4)}`])
      assert.doesNotMatch(withoutKeys(`It is ${text}.`), /123|EyMw/);
  });

  it("is otherwise unchanged", () => {
    const text = "The risk-free task-queue of disk-0 asks: Bearer token is missing.";
    for (const own of [text, "https://helpdesk-internal-api-gateway.corp.example"])
      assert.equal(cleaning("sk-codex-000")(own), own);
  });

  it("does not reveal the longest key that a command may print", () => {
    const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
    const key = Array.from({ length: 16 * 1024 }, (_, index) => alphabet[(index * 7) % 36]).join("");
    for (const form of [key, Buffer.from(key).toString("base64"), Buffer.from(key).toString("hex")])
      assert.equal(cleaning(key)(`Bad key ${form} refused`), "Bad key … refused");
  });

  it("takes linear time", () => {
    const bad = ["sk-", "ask-", "bearer ", "s ", "sk-code ", "%73", "\u200b", "QmVhcmVyI", "."];
    const clean = cleaning(`${"s".repeat(30)}k-`);
    const before = process.cpuUsage();
    for (const piece of [...bad, "sk-codex!", "%2"])
      for (const one of [clean, cleaning(keys[0] ?? "")]) one(piece.repeat(65_536 / piece.length));
    assert.ok(process.cpuUsage(before).user < 2_000_000);
  });
});
