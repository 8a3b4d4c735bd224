import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { KeyCommand } from "../../src/settings/keyCommand.ts";
import { KeyGuard, type OriginQuestion } from "../../src/settings/keyGuard.ts";
import { Keys } from "../../src/settings/keys.ts";
import { each } from "../support/each.ts";
import { memorySecrets } from "../support/memorySecrets.ts";

const own = "https://own.example";
const other = "https://other.example:8443";
/** A stored key that was entered for the own origin. */
const bound = { "apiKey.codex": "sk-codex", "apiKey.codex.origins": JSON.stringify([own]) };
const notAllowed = (by: "user" | "environment", origin: string): object => ({
  ...{ kind: "keyNotAllowed", refusal: { by, origin } },
});

describe("a stored key", () => {
  it("goes to another origin only after a yes, which is remembered for both keys", async () => {
    const { guard, keys, questions, again } = guarded({ secrets: bound, answer: true });
    await keys.store("image", "sk-image", [own]);
    assert.equal(await guard.key("codex", other), "sk-codex");
    assert.deepEqual(questions, [{ origin: other, known: [own], commands: [] }]);
    for (const group of ["codex", "image"] as const) assert.deepEqual(await keys.origins(group), [own, other]);
    assert.equal(await again().key("image", other), "sk-image");
    assert.equal(questions.length, 1);
  });

  it("stays where it was after a no, and the next use asks again, as does another scheme, port, or host", async () => {
    const { guard, keys, questions } = guarded({ secrets: bound, answer: false });
    const others = ["http://own.example", "https://own.example:444", "https://own.example.", "https://a.own.example"];
    for (const [index, origin] of [other, other, ...others].entries()) {
      await assert.rejects(guard.key("codex", origin), notAllowed("user", origin));
      assert.equal(questions.length, index + 1);
    }
    assert.equal(await guard.key("codex", own), "sk-codex");
    assert.deepEqual(await keys.origins("codex"), [own]);
  });

  it("is asked about once by many requests at the same time", async () => {
    const { guard, keys, questions } = guarded({ secrets: bound, answer: true });
    await keys.store("image", "sk-image", []);
    const uses = [guard.key("codex", other), guard.key("codex", other), guard.key("image", other)];
    assert.deepEqual(await Promise.all(uses), ["sk-codex", "sk-codex", "sk-image"]);
    assert.equal(questions.length, 1);
  });

  it("of a version without origins is asked about once, whatever entries are set", async () => {
    const { guard, keys, questions, again } = guarded({ secrets: { "apiKey.codex": "sk-old" }, answer: true });
    await assert.rejects(guard.key("codex", own, { isAutomatic: true }), notAllowed("user", own));
    for (const later of [guard, again()]) assert.equal(await later.key("codex", own), "sk-old");
    assert.deepEqual(questions, [{ origin: own, known: [], commands: [] }]);
    assert.equal(await keys.origins("image"), undefined);
  });

  it("that another window binds anew is known here at once", async () => {
    const storage = memorySecrets();
    const { guard, keys, questions } = guarded({ answer: false, storage });
    await keys.store("codex", "sk-one", [own]);
    assert.equal(await guard.key("codex", own), "sk-one");
    await new Keys(storage, {}).store("codex", "sk-two", [other]);
    assert.equal(await guard.key("codex", other), "sk-two");
    await assert.rejects(guard.key("codex", own), notAllowed("user", own));
    assert.deepEqual(questions, [{ origin: own, known: [other], commands: [] }]);
  });

  it("is read once until it changes, even if the storage does not tell of the change", async () => {
    let reads = 0;
    const silent = { ...memorySecrets(), onDidChange: () => ({ dispose: () => undefined }) };
    const get = (name: string): Thenable<string | undefined> => ((reads += 1), silent.get(name));
    const { guard, keys } = guarded({ storage: { ...silent, get } });
    for (const key of ["sk-one", "sk-two"]) {
      await keys.store("codex", key, [own]);
      assert.equal(await guard.key("codex", own), key);
      const before = reads;
      assert.equal(await guard.key("codex", own), key);
      assert.equal(reads, before);
    }
    await keys.remove("codex");
    assert.equal(await guard.key("codex", own), undefined);
  });

  it("that another window replaces during a use goes by its own origins", async () => {
    const storage = memorySecrets();
    const { guard, keys } = guarded({ storage, answer: false });
    const stored = new Keys(storage, {});
    await stored.store("codex", "sk-one", [own]);
    let isReplaced = false;
    keys.find = async (group) => {
      const found = await stored.find(group);
      if (!isReplaced) await stored.store("codex", "sk-two", [other]);
      isReplaced = true;
      return found;
    };
    assert.equal(await guard.key("codex", other), "sk-two");
  });

  it("that was removed or replaced while the question stood is not sent where it was not entered for", async () => {
    const { guard, keys } = guarded({ answer: () => change().then(() => false) });
    let change = (): Promise<void> => keys.store("codex", "sk-two", [own]);
    await keys.store("codex", "sk-one", [own]);
    await assert.rejects(guard.key("codex", other), notAllowed("user", other));
    assert.deepEqual(await keys.origins("codex"), [own]);
    const removed = guarded({ answer: () => change().then(() => true) });
    change = () => removed.keys.remove("codex");
    await removed.keys.store("codex", "sk-one", [own]);
    assert.equal(await removed.guard.key("codex", other), undefined);
    assert.equal(await removed.keys.origins("codex"), undefined);
  });
});

describe("a key of the environment", () => {
  const key = { CODEX_GATEWAY_API_KEY: "sk-environment" };

  it("goes to the entries that are set, without a question, and is undefined where none is set", async () => {
    for (const CODEX_GATEWAY_ORIGINS of [undefined, "", "  "]) {
      const { guard } = guarded({ environment: { ...key, CODEX_GATEWAY_ORIGINS } });
      assert.equal(await guard.key("codex", other), "sk-environment");
    }
    assert.equal(await guarded().guard.key("image", own), undefined);
  });

  each<[string], readonly string[]>([
    ["goes to all origins of a list", `${own}, ${other}`, [own, other]],
    ["goes to the origins of addresses in lines", ` ${own}\n${other}/v1 `, [own, other]],
    ["goes to origins in any form", "HTTPS://OTHER.example:8443,https://own.example:443/", [own, other]],
    ["goes to nothing without a scheme", "own.example other.example:8443", []],
    ["goes to nothing for other schemes", "blob:https://own.example ftp://own.example", []],
  ]).hold(async (list, allowed) => {
    const { guard } = guarded({ environment: { ...key, CODEX_GATEWAY_ORIGINS: list } });
    for (const origin of [own, other]) {
      if (allowed.includes(origin)) assert.equal(await guard.key("codex", origin), "sk-environment");
      else await assert.rejects(guard.key("codex", origin), notAllowed("environment", origin));
    }
  });
});

describe("a key that a command prints", () => {
  it("goes before a stored key and the environment", async () => {
    const environment = { CODEX_GATEWAY_API_KEY: "sk-environment" };
    const { guard } = guarded({ printed: ["sk-printed"], environment, secrets: bound, answer: true });
    assert.equal(await guard.key("codex", own), "sk-printed");
  });

  it("goes to an origin only after a yes, before which the command does not run, also at the next start", async () => {
    const printed = ["sk-1"];
    const { guard, again, questions } = guarded({ printed, answer: ({ origin }) => origin === own });
    await assert.rejects(guard.key("codex", own, { isAutomatic: true }), notAllowed("user", own));
    await assert.rejects(guard.key("codex", other), notAllowed("user", other));
    assert.deepEqual(printed, ["sk-1"]);
    assert.equal(await guard.key("codex", own), "sk-1");
    assert.equal(await again().key("codex", own, { isAutomatic: true }), "sk-1");
    await assert.rejects(again().key("codex", other), notAllowed("user", other));
    const commands = [["print"]];
    const later = { origin: other, known: [own], commands };
    assert.deepEqual(questions, [{ ...later, known: [] }, { origin: own, known: [], commands }, later]);
  });

  it("goes nowhere unasked once another command prints it, and each answer is about its command", async () => {
    const { guard, setCommand, questions } = guarded({ printed: ["sk-1", "sk-2"], answer: true });
    assert.equal(await guard.key("codex", own), "sk-1");
    setCommand(["print", "--other"]);
    await assert.rejects(guard.key("codex", own, { isAutomatic: true }), notAllowed("user", own));
    assert.equal(await guard.key("codex", own), "sk-2");
    assert.deepEqual(questions.at(-1), { origin: own, known: [], commands: [["print", "--other"]] });
    const changing = guarded({ printed: ["sk-1"], answer: () => (changing.setCommand(["other"]), true) });
    await assert.rejects(changing.guard.key("codex", own), notAllowed("user", own));
  });

  it("is not sent where the command is replaced while it runs", async () => {
    const { guard, setCommand, questions } = guarded({
      printed: ["sk-1", "sk-2", "sk-3"],
      answer: () => questions.length === 1,
      onPrint: (key) => {
        if (key === "sk-2") setCommand(["print", "--other"]);
      },
    });
    await guard.key("codex", own);
    await assert.rejects(guard.key("codex", own, { refused: "sk-1" }), notAllowed("user", own));
    assert.equal(questions.length, 2);
  });

  it("loses its origins with the stored key", async () => {
    const { guard, keys, questions } = guarded({ printed: ["sk-1"], answer: true });
    await guard.key("codex", own);
    await keys.remove("codex");
    await assert.rejects(guard.key("codex", own, { isAutomatic: true }), notAllowed("user", own));
    await guard.key("codex", own);
    assert.equal(questions.length, 2);
  });

  it("is never stored", async () => {
    const storage = memorySecrets();
    const stored: string[] = [];
    const store = (name: string, value: string) => (stored.push(value), storage.store(name, value));
    const watched = { ...storage, store };
    await guarded({ storage: watched, printed: ["sk-1"], answer: true }).guard.key("codex", own);
    const command = createHash("sha256").update('["print"]').digest("hex");
    assert.deepEqual(stored, [JSON.stringify({ command, origins: [own] })]);
  });
});

interface Setup {
  /** What a command prints, each time it runs. */
  readonly printed?: string[];
  readonly onPrint?: (key: string) => void;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Instead of a storage of its own. */
  readonly storage?: ReturnType<typeof memorySecrets>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What the user answers; a question without one fails the test. */
  readonly answer?: boolean | ((question: OriginQuestion) => boolean | Promise<boolean>);
}

/** A guard, `again` that of the next start, and `setCommand` for another command. */
function guarded({
  secrets = {},
  storage = memorySecrets(secrets),
  environment = {},
  printed,
  onPrint,
  answer,
}: Setup = {}) {
  let command = printed ? ["print"] : [];
  const codex = new KeyCommand({
    command: () => command,
    lifetime: () => 60_000,
    now: () => 0,
    print: () => {
      const key = printed?.shift() ?? "none left";
      onPrint?.(key);
      return Promise.resolve(key);
    },
  });
  const keys = new Keys(storage, environment, { codex });
  const questions: OriginQuestion[] = [];
  const confirm = async (question: OriginQuestion): Promise<boolean> => {
    questions.push(question);
    if (answer === undefined) assert.fail("Nobody may be asked.");
    return typeof answer === "boolean" ? answer : await answer(question);
  };
  const again = (): KeyGuard => new KeyGuard({ keys, environment, confirm });
  const setCommand = (changed: string[]): void => {
    command = changed;
  };
  return { guard: again(), keys, questions, again, setCommand };
}
