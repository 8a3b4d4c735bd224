import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { undoChange } from "../src/apply/applyChange.ts";
import { ChangeStore } from "../src/apply/changeStore.ts";
import type { FileAccess, DiskChange } from "../src/apply/diskChange.ts";
import { Hunks } from "../src/apply/hunks.ts";
import { adoptEarlierHunks } from "../src/apply/version110.ts";
import { readImageRecord } from "../src/images/storedImages.ts";
import { Keys } from "../src/settings/keys.ts";
import { Ledger } from "../src/usage/ledger.ts";
import { asArray } from "../src/base/json.ts";
import { memorySecrets } from "./support/memorySecrets.ts";
import { testFolder } from "./support/testFolder.ts";
import { usageRow } from "./support/usageRow.ts";
import { MemoryState } from "./support/memoryState.ts";

/** Files as version 1.1.0 has written them. Dates are those of its release. */
const sample = join(import.meta.dirname, "samples", "version110");
const { workspaceState, secrets, settings, commands } = JSON.parse(
  readFileSync(join(sample, "state.json"), "utf8"),
) as {
  readonly workspaceState: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
};

const idOf = (count: number): string => `00000000-0000-4000-8000-00000000000${count}`;
const workspace = "file:///workspace/";

describe("after an update from version 1.1.0", () => {
  const folder = testFolder();
  beforeEach(() => {
    cpSync(sample, folder(), { recursive: true });
  });

  const storeOf = (name: string): ChangeStore => new ChangeStore(join(folder(), "edits", name));

  it("an edit that was proposed can be applied, without the file that was skipped", async () => {
    const store = storeOf("proposed");
    const stored = (await store.load(idOf(1))) ?? assert.fail();
    const texts = stored.files.map(({ before, after }) => textsOf([before, after]));
    assert.deepEqual(texts, [
      ['export const lamp = "off";\n', 'export const lamp = "on";\n'],
      ["export const pier = 1;\n", "export const pier = 2;\n"],
    ]);
    assert.deepEqual([stored.stage, stored.skipped], ["stored", [1]]);
    await store.update(idOf(1), { skipped: [] });
    assert.deepEqual(await store.load(idOf(1)), { ...stored, skipped: [] });
  });

  it("an edit that renamed a file can be undone", async () => {
    const id = crypto.randomUUID();
    const folderOf = join(folder(), "edits", "applied", id);
    mkdirSync(folderOf);
    const listed = [
      { uri: `${workspace}lamp.ts`, before: "0.before", mode: 0o644 },
      { uri: `${workspace}lights/lamp.ts`, after: "1.after", renamedFrom: `${workspace}lamp.ts` },
    ];
    const written = { "files.json": JSON.stringify(listed), stage: "applied", "0.before": "off", "1.after": "on" };
    for (const [name, text] of Object.entries(written)) writeFileSync(join(folderOf, name), text);
    assert.deepEqual(await undone(id, { "lights/lamp.ts": "on" }), { "lamp.ts": "off" });
  });

  it("an edit that was applied can be undone", async () => {
    const now = { "lamp.ts": 'export const lamp = "on";\n', "harbor.ts": "export const harbor = true;\n" };
    assert.deepEqual(await undone(idOf(2), now), { "lamp.ts": 'export const lamp = "off";\n' });
  });

  it("Undo that left a file alone can be run again for that file", async () => {
    const now = { "pier.ts": "export const pier = 2;\n" };
    assert.deepEqual(await undone(idOf(3), now), { "pier.ts": "export const pier = 1;\n" });
  });

  /** The files of the workspace after the edit is undone in these. */
  async function undone(id: string, texts: Readonly<Record<string, string>>): Promise<object> {
    const disk = new Map(Object.entries(texts).map(([name, text]) => [workspace + name, Buffer.from(text)]));
    const files: FileAccess = {
      read: (uri) => Promise.resolve(disk.get(uri)),
      save: () => Promise.resolve(false),
      write: (uri, bytes) => Promise.resolve(void disk.set(uri, Buffer.from(bytes))),
      remove: (uri) => Promise.resolve(void disk.delete(uri)),
      missingFolder: () => Promise.resolve(undefined),
      removeFolders: () => Promise.resolve(),
    };
    const result = await undoChange(id, { store: storeOf("applied"), files });
    assert.deepEqual(result, { changed: [], isRefused: false });
    return Object.fromEntries([...disk].map(([uri, bytes]) => [uri.slice(workspace.length), bytes.toString()]));
  }

  describe("the open hunks of inline chat", () => {
    const text = "one\nTWO\nthree\nfour\nsix\nseven\nnew\n";

    it("are open, where the file has their lines", async () => {
      const [adopted, ...others] = await adoptedIn(text);
      const [before = "", after = ""] = textsOf([adopted?.before, adopted?.after]);
      assert.deepEqual([before, after, others], ["one\ntwo\nthree\nfour\nfive\nsix\nseven\n", text, []]);
      const states = new Hunks({ before, after }).locate(text, new Set()).map(({ state }) => state);
      assert.deepEqual(states, ["open", "open", "open"]);
    });

    it("are found at another line, unless that is not the only one", async () => {
      const [adopted] = await adoptedIn(`zero\n${text}`);
      assert.deepEqual(textsOf([adopted?.before]), ["zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\n"]);
      assert.deepEqual(await adoptedIn(`zero\n${text}\n${text}`), []);
    });

    it("stay as they are in a file that is gone or has other lines", async () => {
      for (const now of [undefined, "other\nlines\n"]) assert.deepEqual(await adoptedIn(now), []);
    });

    /** The changes that are added where the file has this text now. They are moved once. */
    async function adoptedIn(now: string | undefined): Promise<readonly DiskChange[]> {
      const state = new MemoryState();
      await state.update("openHunks", workspaceState.openHunks);
      const added: DiskChange[] = [];
      const read = (): Promise<string> => (now === undefined ? Promise.reject(new Error()) : Promise.resolve(now));
      await adoptEarlierHunks(state, (change) => Promise.resolve(void added.push(change)), read);
      assert.deepEqual(state.keys(), []);
      return added;
    }
  });

  it("usage counts, and goes on counting after the files of its days were joined", async () => {
    const ledger = new Ledger({ folder: join(folder(), "usage"), now: () => Date.parse("2026-11-26T12:00:00") });
    const agent = {
      model: "gpt-5.3-codex",
      feature: "agent",
      requests: 2,
      inputTokens: 1200,
      outputTokens: 34,
    } as const;
    const image = { model: "gpt-image-2", feature: "image", entry: "backup", requests: 1, failures: 1 } as const;
    const expected = [agent, image].map((row) => usageRow({ day: "2026-11-20", ...row }));
    for (const time of ["before", "after"]) assert.deepEqual(await ledger.read(), expected, time);
    ledger.dispose();
  });

  it("a stored key is there, for the addresses it was entered for", async () => {
    const keys = new Keys(memorySecrets(secrets), {}, {});
    assert.deepEqual(await keys.find("codex"), { key: "sk-0123456789abcdef", source: "stored" });
    assert.deepEqual(await keys.origins("codex"), ["https://gateway.example.com"]);
  });

  it("the history of images is there", () => {
    const images = asArray(workspaceState.images);
    assert.deepEqual(images.map(readImageRecord), images);
  });

  it("every setting is there, with its scope, and every command", () => {
    const now = Object.entries<{ readonly scope: string }>(manifest.contributes.configuration.properties);
    const scopes = new Map(now.map(([name, { scope }]) => [name, scope]));
    for (const [name, scope] of Object.entries(settings)) assert.equal(scopes.get(name), scope, name);
    const known = new Set(manifest.contributes.commands.map(({ command }) => command));
    for (const command of commands) assert.ok(known.has(command), command);
  });
});

function textsOf(sides: readonly (Uint8Array | undefined)[] | undefined): readonly string[] {
  return (sides ?? []).map((bytes) => new TextDecoder().decode(bytes));
}
