import assert from "node:assert/strict";
import { readEdits } from "../../src/edits/read/readEdits.ts";
import { resolveMasked } from "../../src/edits/resolveEdits.ts";
import type { ChatMessage, ChatRequest } from "../../src/gateway/types.ts";
import { findSecrets } from "../../src/text/secrets/findSecrets.ts";
import { hasMask } from "../../src/text/secrets/maskSecrets.ts";
import { gatewayThat, guarded, placeholdersIn, tellingParts } from "../support/guarded.ts";
import { partsOf, textIn } from "../support/localClient.ts";
import { Random } from "../support/random.ts";
import { randomTexts } from "../support/randomTexts.ts";
import { secretsInFiles } from "../support/secretForms.ts";

/** How many run; `CONVERSATIONS` sets another number. */
const count = Number(process.env.CONVERSATIONS ?? 100);

/** What a model does with the lines of an edit besides changing one. Only the last two take lines with secrets away. */
const twists = ["none", "none", "alter", "repeat", "move", "indent", "forget", "drop", "overwrite"] as const;
const { signal } = new AbortController();

/** A conversation about random files with a model that guesses and edits. `done` has what became of edits. */
async function converse(seed: number, done: Set<string>): Promise<void> {
  const random = new Random(`conversation ${seed}`);
  const texts = randomTexts(seed);
  const code = (): string => `export const line${random.below(10_000)} = "${texts.of("abcdef", 3)}";`;
  const files = new Map<string, string>();
  for (let at = 0; at <= random.below(3); at += 1) {
    const forms = Array.from({ length: 3 + random.below(5) }, () => random.pick(secretsInFiles));
    const lines = forms.flatMap((form) => [form?.(texts).text ?? "", code()]);
    files.set(`src/file${at}.ts`, [code(), ...lines, ""].join("\n"));
  }
  const canaries = [...files.values()].flatMap(secretsIn);
  /** The lines that the model wrote. */
  const written = new Set<string>();
  let last = "";
  let answer: (request: ChatRequest) => string = () => "";
  let request: ChatRequest | undefined;
  const { gateway, secrets } = guarded(
    gatewayThat((asked) => {
      request = asked;
      const text = answer(asked);
      for (const line of text.split("\n")) written.add(line.replace(/^[+-]/, "").trim());
      return text;
    }),
  );

  /** Asks about files, and about what was said before, checks what leaves, and that it comes back. */
  const ask = async (words: string): Promise<string> => {
    for (const text of files.values()) await secrets.learn(text);
    const quoted = [...files].map(([path, text]) => `${path}:\n${text}`);
    const content = [...quoted, `You wrote:\n${last}`, words].join("\n\n");
    const messages = [user("Go on."), { role: "assistant", content: last } as const, user(content)];
    last = textIn(await partsOf(gateway.ask({ model: "m", messages, conversation: "c" }, signal)));
    const sent = request?.messages.at(-1)?.content ?? "";
    for (const line of sent.split("\n").filter((line) => !written.has(line.replace(/^[+-]/, "").trim())))
      for (const part of canaries.flatMap(tellingParts)) assert.ok(!line.includes(part), `${part} in ${line}`);
    if (!hasMask(content)) assert.ok(secrets.restore(sent).endsWith(content));
    return last;
  };

  for (let turn = 0; turn < 6; turn += 1) {
    // A word is a secret only beside what it was found with.
    const typed = random.pick(canaries.filter((canary) => /[0-9]/.test(canary))) ?? "";
    const guesses = [texts.password(), random.chance(0.3) ? typed : "", texts.base62(32), "- name: DB_PASSWORD"];
    answer = () => guesses.join("\n");
    await ask(random.chance(0.2) ? `I typed ${typed}` : "Guess.");

    const [path, text] = random.pick([...files]) ?? assert.fail();
    const lines = text.split("\n").slice(0, -1);
    const start = random.below(lines.length);
    const end = Math.min(lines.length, start + 1 + random.below(8));
    const [twist, form] = [random.pick(twists), random.chance(0.5) ? search : patch];
    answer = ({ messages }) => {
      // The model writes what it has seen of these lines: with placeholders, where the question had them.
      const seen = messages.at(-1)?.content.split(`${path}:\n`)[1]?.split("\n").slice(0, lines.length) ?? [];
      const old = seen.slice(start, end);
      return form(path, old, [...twisted(old, seen, twist), code()]);
    };
    const reading = readEdits(await ask("Change it."), files);
    const { changes } = resolveMasked(reading, files, (line) => secrets.restore(line), { path, start, end });
    done.add(`${twist} ${changes.length}`);
    for (const { text: after } of changes) {
      assert.ok(!hasMask(after) || hasMask(text), `A placeholder is written:\n${last}`);
      for (const canary of canaries) {
        const [had = 0, has = 0] = [text, after].map((one) => one.split(canary).length - 1);
        assert.ok(has <= had || written.has(canary), `A secret is copied:\n${last}`);
        assert.ok(has >= had || twist === "drop" || twist === "overwrite", `A secret is lost with ${twist}:\n${last}`);
      }
      files.set(path, after);
    }
  }
}

/** The secrets that a window finds in a text, but for short words. */
function secretsIn(text: string): readonly string[] {
  const lines = text.split("\n");
  const found = findSecrets(lines).flatMap((spans, at) =>
    spans.map(({ start, end }) => lines[at]?.slice(start, end) ?? ""),
  );
  return found.filter((secret) => secret.length >= 8);
}

function twisted(
  old: readonly string[],
  seen: readonly string[],
  twist: (typeof twists)[number] | undefined,
): readonly string[] {
  const masked = old.findIndex(hasMask);
  const line = old[masked] ?? "";
  if (twist === "none" || masked < 0) return old;
  if (twist === "alter") return old.with(masked, line.replace(/\d{6}/, "000000"));
  if (twist === "forget") return old.with(masked, line.replace(/\[secret \d+ /g, "[secret "));
  if (twist === "repeat") return [...old, line];
  if (twist === "move") return [...old, `log("${placeholdersIn(seen.join("\n")).at(-1) ?? ""}");`];
  if (twist === "indent") return old.map((one) => `  ${one}`);
  if (twist === "drop") return old.toSpliced(masked, 1);
  return old.with(masked, `${line.split(/[=:]/)[0] ?? ""}= "none";`);
}

function user(content: string): ChatMessage {
  return { role: "user", content };
}

function search(path: string, old: readonly string[], edited: readonly string[]): string {
  return [path, "`````", "<<<<<<< SEARCH", ...old, "=======", ...edited, ">>>>>>> REPLACE", "`````"].join("\n");
}

function patch(path: string, old: readonly string[], edited: readonly string[]): string {
  const rows = [...old.map((line) => `-${line}`), ...edited.map((line) => `+${line}`)];
  return ["*** Begin Patch", `*** Update File: ${path}`, "@@", ...rows, "*** End Patch"].join("\n");
}

describe("random conversations about files with secrets", () => {
  it("send no secret, write no placeholder, and lose no secret", async function () {
    this.timeout(3_600_000);
    const done = new Set<string>();
    for (let seed = 1; seed <= count; seed += 1) {
      await converse(seed, done).catch((cause: unknown) => {
        throw new Error(`Conversation ${seed}`, { cause });
      });
    }
    const expected = ["none 1", "indent 1", "drop 1", "alter 0", "forget 0", "move 0"];
    assert.deepEqual(
      expected.filter((edits) => !done.has(edits)),
      [],
    );
  });
});
