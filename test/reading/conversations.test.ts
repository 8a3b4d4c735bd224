import assert from "node:assert/strict";
import { readEdits } from "../../src/edits/read/readEdits.ts";
import { resolveMasked } from "../../src/edits/resolveEdits.ts";
import type { ChatMessage, ChatRequest } from "../../src/gateway/types.ts";
import { findSecrets } from "../../src/text/secrets/findSecrets.ts";
import { hasMask } from "../../src/text/secrets/placeholders.ts";
import { gatewayThat, guarded, placeholdersIn, tellingParts } from "../support/guarded.ts";
import { partsOf, textIn } from "../support/localClient.ts";
import { oneOf, Random } from "../support/random.ts";
import { type RandomTexts, randomTexts } from "../support/randomTexts.ts";
import { secretsInFiles } from "../support/secretForms.ts";

/** How many run; `CONVERSATIONS` sets another number. */
const count = Number(process.env.CONVERSATIONS ?? 600);

/** What a model does with the lines of an edit besides changing one. Only the last two take lines with secrets away. */
const twists = ["none", "none", "alter", "repeat", "move", "indent", "forget", "drop", "overwrite"] as const;
const formats = ["search", "patch", "block", "rename"] as const;
const { signal } = new AbortController();

/** A conversation about random files with a model that guesses, with what became of it. */
class Conversation {
  readonly #random: Random;
  readonly #texts: RandomTexts;
  readonly files = new Map<string, string>();
  /** The secrets in the files, and those that are found there. */
  readonly #secrets = new Set<string>();
  canaries: readonly string[];
  /** The lines that the model wrote. */
  readonly #written = new Set<string>();
  readonly #history: ChatMessage[] = [];
  readonly #done: Record<string, number>;
  #request: ChatRequest | undefined;
  #answer: () => string = () => "Yes.";
  #window = this.#open();
  #lines = 0;

  constructor(seed: number, done: Record<string, number>) {
    this.#random = new Random(`conversation ${seed}`);
    this.#texts = randomTexts(seed);
    this.#done = done;
    for (let at = 0; at <= this.#random.below(3); at += 1) this.#create(`src/file${at}.ts`);
    this.canaries = this.#found();
  }

  /** A window of VS Code, which knows nothing at first. */
  #open(): ReturnType<typeof guarded> {
    return guarded(
      gatewayThat((request) => {
        this.#request = request;
        const answer = this.#answer();
        for (const line of answer.split("\n")) this.#written.add(line.replace(/^[+-]/, "").trim());
        return answer;
      }),
    );
  }

  #create(path: string): void {
    const parts = Array.from({ length: 3 + this.#random.below(5) }, () => {
      if (this.#random.chance(0.5)) return { text: this.#code(), secrets: [] };
      return oneOf(secretsInFiles, () => this.#random.below(1_000) / 1_000)(this.#texts);
    });
    const text = [this.#code(), ...parts.map((part) => part.text), this.#code(), ""].join("\n");
    this.files.set(path, text);
    for (const secret of parts.flatMap(({ secrets }) => secrets)) if (secret.length >= 8) this.#secrets.add(secret);
  }

  /** The secrets that a window finds in the files as they are. */
  #found(): readonly string[] {
    const lines = [...this.files.values()].flatMap((text) => {
      const spans = findSecrets(text.split("\n"));
      return text.split("\n").map((line, at) => (spans[at] ?? []).map(({ start, end }) => line.slice(start, end)));
    });
    const values = lines.flat(2);
    return [...this.#secrets].filter((secret) => values.some((value) => value.includes(secret)));
  }

  #code(): string {
    return `export const line${(this.#lines += 1)} = "${this.#texts.of("abcdef", 3)}";`;
  }

  #note(what: string): void {
    this.#done[what] = (this.#done[what] ?? 0) + 1;
  }

  async run(): Promise<void> {
    for (let turn = 0; turn < 4 + this.#random.below(4); turn += 1) {
      if (this.#random.chance(0.15)) {
        this.#note("reloads");
        this.#window = this.#open();
        this.canaries = this.#found();
      }
      await (this.#random.chance(0.3) ? this.#ask(() => this.#guess()) : this.#edit());
    }
  }

  /** Asks about files, as a whole or in part, and about what was said before. What is read is learned as a whole. */
  async #ask(answer: () => string, isWhole = this.#random.chance(0.6)): Promise<string> {
    const { gateway, secrets } = this.#window;
    const parts: string[] = [];
    for (const [path, text] of this.files) {
      await secrets.learn(text);
      const lines = text.split("\n");
      const [start, end] = isWhole ? [0] : [this.#random.below(lines.length), this.#random.below(lines.length)];
      parts.push(`${path}:\n${lines.slice(start, end).join("\n")}`);
    }
    const last = this.#history.findLast(({ role }) => role === "assistant");
    if (last && this.#random.chance(0.3)) parts.push(`You wrote:\n${last.content}`);
    // A word is a secret only beside what it was found with.
    const typed = this.#random.pick(this.canaries.filter((canary) => /[0-9]/.test(canary))) ?? "";
    if (this.#random.chance(0.2)) parts.push(`I typed ${typed}`);
    const content = parts.join("\n\n");
    this.#answer = answer;
    const text = textIn(
      await partsOf(
        gateway.ask({ model: "m", messages: [...this.#history, user(content)], conversation: "c" }, signal),
      ),
    );
    this.#check(content);
    this.#history.push(user("Go on."), { role: "assistant", content: text });
    this.#note("questions");
    return text;
  }

  /** Checks what left, and that it comes back. */
  #check(content: string): void {
    const sent = (this.#request?.messages ?? []).filter(({ role }) => role !== "assistant");
    for (const line of sent.flatMap((message) => message.content.split("\n"))) {
      if (this.#written.has(line.replace(/^[+-]/, "").trim())) continue;
      for (const canary of this.canaries)
        for (const part of tellingParts(canary)) assert.ok(!line.includes(part), `${part} in ${line}`);
    }
    const last = sent.at(-1)?.content ?? "";
    if (!hasMask(content)) assert.ok(this.#window.secrets.restore(last).endsWith(content));
  }

  /** An answer that tries to learn a secret. */
  #guess(): string {
    const right = this.#random.chance(0.3) ? (this.#random.pick(this.canaries) ?? "") : "";
    if (right !== "") this.#note("right guesses");
    return [
      this.#texts.password(),
      right,
      this.#texts.base62(32),
      "-----BEGIN RSA PRIVATE KEY-----",
      "- name: DB_PASSWORD",
    ].join("\n");
  }

  /** Asks for an edit of some lines of a file, and applies what comes of it, or not. */
  async #edit(): Promise<void> {
    const [path, text] = this.#random.pick([...this.files]) ?? ["", ""];
    const lines = text.split("\n").slice(0, -1);
    const start = this.#random.below(Math.max(1, lines.length - 3));
    const end = Math.min(lines.length, start + 1 + this.#random.below(8));
    const [format, twist] = [oneOf(formats, this.#next), oneOf(twists, this.#next)];
    const target = `src/moved${this.#lines}.ts`;
    const answer = await this.#ask(() => {
      // The model writes what it has seen of these lines: with placeholders, where the question had them.
      const seen = this.#seen(path, lines);
      const old = seen.slice(start, end);
      const edited = this.#twist(old, seen, twist);
      return written(format, { path, target, old, edited });
    }, true);
    const { secrets } = this.#window;
    const asked = { path, start, end };
    const restore = (line: string) => secrets.restore(line);
    const { changes } = resolveMasked(readEdits(answer, this.files), this.files, restore, asked);
    if (changes.length === 0) this.#note(`refused with ${twist}`);
    const isApplied = this.#random.chance(0.6);
    for (const { path: from, text: after, newPath = from } of changes) {
      const before = this.files.get(from) ?? "";
      assert.ok(!hasMask(after) || hasMask(before), `A placeholder is written:\n${answer}`);
      for (const canary of this.canaries) {
        const [had, has] = [before, after].map((one) => one.split(canary).length - 1);
        if (!this.#written.has(canary)) assert.ok((has ?? 0) <= (had ?? 0), `A secret is copied:\n${answer}`);
        if (twist !== "drop" && twist !== "overwrite")
          assert.equal(has, had, `A secret is lost with ${twist}:\n${answer}`);
      }
      if (!isApplied) continue;
      this.#note(`applied with ${twist}`);
      this.files.delete(from);
      this.files.set(newPath, after);
    }
  }

  readonly #next = (): number => this.#random.below(1_000) / 1_000;

  /** The lines of a file as the model sees them in the last question. */
  #seen(path: string, lines: readonly string[]): readonly string[] {
    const content = this.#request?.messages.at(-1)?.content ?? "";
    const shown = content.split(`${path}:\n`)[1]?.split("\n") ?? [];
    return lines.map((line, at) => shown[at] ?? line);
  }

  #twist(old: readonly string[], seen: readonly string[], twist: (typeof twists)[number]): readonly string[] {
    const added = [...old, this.#code()];
    const masked = old.findIndex(hasMask);
    const line = old[masked] ?? "";
    if (twist === "none" || masked < 0) return added;
    if (twist === "alter") return added.with(masked, line.replace(/\d{6}/, "000000"));
    if (twist === "forget") return added.with(masked, line.replace(/\[secret \d+ /g, "[secret "));
    if (twist === "repeat") return [...added, line];
    if (twist === "move") return [...added, `log("${placeholdersIn(seen.join("\n")).at(-1) ?? ""}");`];
    if (twist === "indent") return added.map((one) => `  ${one}`);
    if (twist === "drop") return added.toSpliced(masked, 1);
    return added.with(masked, `${line.split(/[=:]/)[0] ?? ""}= "none";`);
  }
}

function user(content: string): ChatMessage {
  return { role: "user", content };
}

/** An edit as models write it. */
function written(
  format: (typeof formats)[number],
  {
    path,
    target,
    old,
    edited,
  }: {
    readonly path: string;
    readonly target: string;
    readonly old: readonly string[];
    readonly edited: readonly string[];
  },
): string {
  const fence = "`````";
  if (format === "block") return [`${fence}ts replace`, ...edited, fence].join("\n");
  if (format === "search")
    return [path, `${fence}ts`, "<<<<<<< SEARCH", ...old, "=======", ...edited, ">>>>>>> REPLACE", fence].join("\n");
  const rows = [...old.map((line) => `-${line}`), ...edited.map((line) => `+${line}`)];
  return [
    "*** Begin Patch",
    `*** Update File: ${path}`,
    ...(format === "rename" ? [`*** Move to: ${target}`] : []),
    "@@",
    ...rows,
    "*** End Patch",
  ].join("\n");
}

describe("random conversations about files with secrets", () => {
  it("send no secret, write no placeholder, and lose no secret", async function () {
    this.timeout(3_600_000);
    const done: Record<string, number> = {};
    for (let seed = 1; seed <= count; seed += 1) {
      const conversation = new Conversation(seed, done);
      await conversation.run().catch((cause: unknown) => {
        throw new Error(`Conversation ${seed}`, { cause });
      });
    }
    if (process.env.CONVERSATIONS !== undefined) console.log(done);
    for (const twist of ["none", "indent", "drop"]) assert.ok((done[`applied with ${twist}`] ?? 0) > 0, twist);
    for (const twist of ["alter", "forget", "move"]) assert.ok((done[`refused with ${twist}`] ?? 0) > 0, twist);
  });
});
