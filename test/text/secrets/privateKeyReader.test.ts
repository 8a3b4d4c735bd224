import assert from "node:assert/strict";
import { hasMask } from "../../../src/text/secrets/placeholders.ts";
import { maskText } from "../../support/maskText.ts";
import { randomTexts } from "../../support/randomTexts.ts";

const labels = [
  ..."RSA |EC |OPENSSH |ENCRYPTED |DSA |ANY |".split("|").map((label) => `${label}PRIVATE KEY`),
  "PGP PRIVATE KEY BLOCK",
  "SSH2 ENCRYPTED PRIVATE KEY",
];

/** The lines of a key, with a last one that is short, and what of them has to be masked. */
function keyOf(label: string, seed: number): { readonly lines: readonly string[]; readonly data: readonly string[] } {
  const { base64, base62 } = randomTexts(seed);
  const data = [...Array.from({ length: 5 }, () => base64(64)), `${base62(7)}8Q==`];
  return { lines: [`-----BEGIN ${label}-----`, ...data, `-----END ${label}-----`], data };
}

const each =
  (wrap: (line: string, index: number, lines: readonly string[]) => string) =>
  (lines: readonly string[]): string =>
    lines.map(wrap).join("\n");
const isLast = (index: number, lines: readonly string[]): boolean => index === lines.length - 1;

/** A key as it stands in files of all kinds. */
const wrappings: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  "a file": (lines) => lines.join("\n"),
  "a file of Windows": (lines) => lines.join("\r\n"),
  "a string of Java": each((line, index, lines) => `    "${line}\\n"${isLast(index, lines) ? ";" : " +"}`),
  "bytes of Python": each((line) => `    b"${line}\\n"`),
  "a string of C#": each((line, index, lines) => `"${line}\\r\\n"${isLast(index, lines) ? ";" : " +"}`),
  "a string of PHP": each((line, index, lines) => `    . '${line}' . "\\n"${isLast(index, lines) ? ";" : ""}`),
  "an array that is joined": (lines) => `[\n${lines.map((line) => `  "${line}",`).join("\n")}\n].join("\\n")`,
  "a builder": each((line) => `sb.append("${line}").append("\\n");`),
  ...Object.fromEntries(
    ["// ", "//", "# ", " * ", "> ", "> > ", "-- ", "; ", "% ", "REM ", "    ", "+", "-", " ", "12: ", "<!-- "].map(
      (prefix) => [`lines behind “${prefix}”`, each((line: string) => prefix + line)],
    ),
  ),
  "numbered lines": each((line, index) => `${String(index + 1).padStart(4)}  ${line}`),
  "one line of JSON": (lines) => `{"a":1,"private_key":"${lines.join("\\n")}\\n","b":"c"}`,
  "a string in a string": (lines) => `"{\\"key\\":\\"${lines.join("\\\\n")}\\\\n\\"}"`,
  "JSON of PHP": (lines) => `{"key":"${lines.join("\\n").replaceAll("/", "\\/")}"}`,
  "one line with line ends of Windows": (lines) => `key: "${lines.join("\\r\\n")}"`,
  "one line with blanks": (lines) => `export KEY='${lines.join(" ")}'`,
  "a block of YAML in a diff": (lines) =>
    `@@ -1 +1,9 @@\n+key: |-\n${lines.map((line) => `+    ${line}`).join("\n")}\n next: 1`,
  XML: (lines) => `<key>${lines.join("\n")}</key>`,
  "an attribute of XML": (lines) => `<x key="${lines.join("&#10;")}"/>`,
  "elements of XML": each((line) => `  <line>${line}</line>`),
  "a table": each((line) => `| ${line} | a note |`),
  "one cell of a table": (lines) => `| a | ${lines.join("<br>")} | b |`,
  "an address": (lines) => `https://x.io/?key=${encodeURIComponent(lines.join("\n"))}`,
  base64: (lines) => `tls.key: ${Buffer.from(lines.join("\n")).toString("base64")}`,
  "a key with headers": ([begin = "", ...rest]) =>
    [begin, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,AB", "", ...rest].join("\n"),
  "a key with blank lines between": (lines) => lines.join("\n\n"),
  "a key without its end": (lines) => `${lines.slice(0, -1).join("\n")}\n`,
  "a key without its beginning": (lines) => lines.slice(1).join("\n"),
  "a key without both": (lines) => each((line) => `  "${line}\\n" +`)(lines.slice(1, -1)),
};

describe("a private key is masked", () => {
  for (const [title, wrap] of Object.entries(wrappings)) {
    it(`in ${title}`, () => {
      for (const [seed, label] of labels.entries()) {
        for (let round = 0; round < 8; round += 1) {
          const { lines, data } = keyOf(label, 1 + seed + 100 * round);
          const text = wrap(lines);
          const masked = maskText(text);
          // The first character may have been taken for the sign of a diff.
          const bodies = data.map((line) => line.slice(1, -3));
          const parts = title === "base64" ? [text.slice(-24)] : [...bodies, ...bodies.map(encodeURIComponent)];
          assert.ok(!parts.some((part) => masked.includes(part)), `${text}\n\nbecame\n\n${masked}`);
        }
      }
    });
  }

  it("as PuTTY, age, WireGuard, and OpenVPN write it", () => {
    const { base64, hex, of } = randomTexts(9);
    const data = [base64(64), base64(64), `${base64(30)}==`];
    const putty = [
      "PuTTY-User-Key-File-3: ssh-rsa",
      "Encryption: none",
      `Private-Lines: ${data.length}`,
      ...data,
      "Private-MAC: 12",
    ];
    const age = `AGE-SECRET-KEY-1${of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`;
    const openVpn = [hex(32), hex(32), hex(32)];
    const vpn = ["-----BEGIN OpenVPN Static key V1-----", ...openVpn, "-----END OpenVPN Static key V1-----"];
    const wireGuard = `${base64(43)}=`;
    const masked = maskText([...putty, age, ...vpn, "[Interface]", `PrivateKey = ${wireGuard}`].join("\n"));
    for (const line of [...data, age, ...openVpn, wireGuard]) assert.ok(!masked.includes(line.slice(1)), masked);
    assert.ok(masked.includes("PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n"));
  });

  it("but no code after a key without its end, and no certificate or public key", () => {
    const { lines } = keyOf("RSA PRIVATE KEY", 3);
    const code = [
      "",
      "export function toBase64(keyData: Uint8Array): string {",
      "  return encodeBase64Url(keyData);",
      "}",
    ];
    assert.ok(maskText([...lines.slice(0, -1), ...code].join("\n")).endsWith(code.join("\n")));
    for (const label of ["CERTIFICATE", "PUBLIC KEY", "CERTIFICATE REQUEST"]) {
      for (const wrap of Object.values(wrappings).slice(0, 8)) {
        const text = wrap(keyOf(label, 4).lines);
        assert.ok(!hasMask(maskText(text)), text);
      }
    }
  });
});
