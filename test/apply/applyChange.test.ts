import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { applyChange, type ChangeFiles, recoverChanges, undoChange } from "../../src/apply/applyChange.ts";
import { ChangeStore, type Stage } from "../../src/apply/changeStore.ts";
import { fileStates } from "../../src/apply/fileStates.ts";
import { type FileAccess, type DiskChange, urisOf, writesOf } from "../../src/apply/diskChange.ts";
import { each } from "../support/each.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

/** An update with a BOM and line endings of Windows, a new file, a deleted one, and a rename. */
const changes: readonly DiskChange[] = [
  { uri: "file:///a", before: bytes("\uFEFFone\r\ntwo\r\n"), after: bytes("\uFEFFone\r\n2\r\n") },
  { uri: "file:///new", after: bytes("new\n") },
  { uri: "file:///gone", before: bytes("gone\n"), mode: 0o755 },
  {
    uri: "file:///old-name",
    newUri: "file:///new-name",
    before: bytes("moved"),
    after: bytes("moved, and changed"),
  },
  { uri: "file:///empty", before: bytes("full"), after: bytes("") },
];

const side = (which: "before" | "after"): ReadonlyMap<string, string> =>
  new Map(writesOf(changes).flatMap(({ uri, [which]: content }) => (content ? [[uri, textOf(content)] as const] : [])));

describe("a change of several files", function () {
  // Each write of a store waits for the disk.
  this.timeout(30_000);
  const folder = testFolder();
  let disk: Disk;
  let store: ChangeStore;
  const id = crypto.randomUUID();
  const recover = (): ReturnType<typeof recoverChanges> =>
    recoverChanges({ store, files: disk }, () => Promise.resolve(true));
  const applying: Work = (where) => applyChange(id, changes, where);
  const undoing: Work = (where) => undoChange(id, where);
  const apply = (): Promise<unknown> => applying({ store, files: disk });
  const stageOf = async (one: string): Promise<Stage | undefined> => (await store.record(one))?.stage;

  beforeEach(() => {
    disk = new Disk(side("before"));
    store = new ChangeStore(folder());
  });

  it("is applied, and taken back to the byte, also in a later window", async () => {
    await apply();
    assert.deepEqual(disk.texts(), side("after"));
    assert.deepEqual(disk.removed, new Set());
    store = new ChangeStore(folder());
    assert.deepEqual(await recover(), new Map());
    assert.deepEqual(await undo(), []);
    assert.deepEqual(disk.texts(), side("before"));
    assert.deepEqual(disk.removed, new Set(["file:///folder"]));
    assert.equal(disk.modes.get("file:///gone"), 0o755);
    assert.equal(await stageOf(id), "reverted");
  });

  posixIt("is stored where only the user can read it", async () => {
    const place = join(folder(), "new");
    await applyChange(id, changes, { store: new ChangeStore(join(place, "store")), files: disk });
    const inside = readdirSync(place, { recursive: true, encoding: "utf8" });
    const [first, ...others] = ["", ...inside].map((path) => statSync(join(place, path)).mode & 0o777);
    assert.equal(first, 0o700);
    assert.deepEqual(new Set(others), new Set([0o700, 0o600]));
  });

  it("is not taken back where saving a file changes it", async () => {
    await apply();
    disk.unsaved.set("file:///a", () => void disk.write("file:///a", bytes("formatted")));
    assert.deepEqual(await undo(), ["file:///a"]);
    assert.deepEqual(disk.texts(), new Map([...side("before"), ["file:///a", "formatted"]]));
  });

  const aAndGone = { "file:///a": "mine", "file:///gone": "mine too" };
  each<[Readonly<Record<string, string>>], readonly string[]>([
    ["is taken back except for files that were changed since", aAndGone, Object.keys(aAndGone)],
    ["is taken back at both paths of a rename or at none", { "file:///new-name": "mine" }, ["file:///new-name"]],
  ]).hold(async (mine, changed) => {
    await apply();
    for (const [uri, text] of Object.entries(mine)) await disk.write(uri, bytes(text));
    await disk.remove("file:///new");
    assert.deepEqual(await undo(), changed);
    const expected = new Map([...side("before"), ...Object.entries(mine)]);
    if ("file:///new-name" in mine) expected.delete("file:///old-name");
    assert.deepEqual(disk.texts(), expected);
  });

  it("counts as applied as long as none of it can be taken back", async () => {
    await apply();
    const uris = changes.flatMap(urisOf);
    for (const uri of uris) await disk.write(uri, bytes("mine"));
    assert.deepEqual(new Set(await undo()), new Set(uris));
    assert.equal(await stageOf(id), "applied");
  });

  it("is taken back later where files were changed, once they are as it left them", async () => {
    await apply();
    await disk.write("file:///a", bytes("mine"));
    await undo();
    await disk.write("file:///a", bytes("\uFEFFone\r\n2\r\n"));
    await disk.write("file:///empty", bytes(""));
    assert.deepEqual(await undo(), []);
    const expected = new Map([...side("before"), ["file:///empty", ""]]);
    assert.deepEqual(disk.texts(), expected);
  });

  it("is not applied to files that have changed since it was shown", async () => {
    await disk.write("file:///new", bytes("mine"));
    const before = disk.texts();
    await assert.rejects(apply(), { name: "ChangedSinceError", uris: ["file:///new"] });
    assert.deepEqual(disk.texts(), before);
    assert.equal(await stageOf(id), undefined);
  });

  it("is not applied over what is typed while it is being stored", async () => {
    const slow = new (class extends ChangeStore {
      override async store(...[one, files, stage]: Parameters<ChangeStore["store"]>): Promise<void> {
        await super.store(one, files, stage);
        if (stage === "applying") await disk.write("file:///new-name", bytes(""));
      }
    })(folder());
    const applied = applyChange(id, changes, { store: slow, files: disk });
    await assert.rejects(applied, { name: "ChangedSinceError", uris: ["file:///new-name"] });
    assert.deepEqual(disk.texts(), new Map([...side("before"), ["file:///new-name", ""]]));
    assert.equal(await stageOf(id), "stored");
  });

  each<[stage: Stage], "before" | "after">([
    ["is taken back where it cannot be stored that it is applied", "applied", "before"],
    ["stays where it cannot be stored that it is taken back", "reverted", "after"],
  ]).hold(async (failing, expected) => {
    if (failing === "reverted") await apply();
    let isFull = true;
    store = new (class extends ChangeStore {
      override async update(...[one, news]: Parameters<ChangeStore["update"]>): Promise<void> {
        if (news.stage === failing && isFull) throw new Error("ENOSPC");
        await super.update(one, news);
      }
    })(folder());
    await assert.rejects(failing === "applied" ? apply() : undo(), /ENOSPC/);
    assert.deepEqual(disk.texts(), side(expected));
    isFull = false;
    if (failing === "applied") await apply();
    assert.deepEqual(await undo(), []);
    assert.deepEqual(disk.texts(), side("before"));
  });

  each<[isApplied: boolean], Work>([
    ["is taken back when the disk is full, wherever that is", false, applying],
    ["stays when the disk is full while it is taken back, wherever that is, until there is room", true, undoing],
  ]).hold(async (isApplied, work) => {
    for (let step = 0; step < 6; step += 1) {
      await prepare(isApplied);
      disk.fullAt = disk.writes + step;
      await assert.rejects(work({ store, files: disk }), /ENOSPC/);
      assert.deepEqual(disk.texts(), side(isApplied ? "after" : "before"), `step ${step}`);
      assert.equal(await stageOf(id), isApplied ? "applied" : "stored");
      if (!isApplied) await apply();
      assert.deepEqual(await undo(), []);
      assert.deepEqual(disk.texts(), side("before"), `step ${step}`);
    }
  });

  each<[isApplied: boolean], Work>([
    ["is not applied or undone again before it is recovered where it could not be restored", false, applying],
    ["is not applied or undone again before it is recovered where it could not be applied again", true, undoing],
  ]).hold(async (isApplied, work) => {
    for (let step = 0; step < 4; step += 1) {
      await prepare(isApplied);
      [disk.fullAt, disk.fullFor] = [disk.writes + step, 2];
      await assert.rejects(work({ store, files: disk }), { kind: "editUnfinished" });
      await assert.rejects(apply(), { kind: "editUnfinished" });
      await assert.rejects(undo(), { kind: "editUnfinished" });
      assert.deepEqual([...(await recover()).values()], [[]]);
      assert.deepEqual(disk.texts(), side("before"), `step ${step}`);
      await apply();
      await undo();
      assert.deepEqual(disk.texts(), side("before"), `step ${step}`);
    }
  });

  each<[isApplied: boolean], Work>([
    ["is there as a whole or not at all when the window is killed at any step", false, applying],
    ["is taken back as a whole or not at all when the window is killed at any step of it", true, undoing],
  ]).hold(async (isApplied, work) => {
    const found = { whole: 0, none: 0 };
    const prepared = (): Promise<void> => prepare(isApplied);
    await killAtEachStep(prepared, work, (where) => {
      const isWhole = isDeepStrictEqual(disk.texts(), side("after"));
      if (!isWhole) assert.deepEqual(disk.texts(), side("before"), where);
      found[isWhole ? "whole" : "none"] += 1;
    });
    assert.ok(found.whole > 0 && found.none >= 8, JSON.stringify(found));
  });

  each<[], Stage>([
    ["stays as far as it was applied when the window is killed at any step of applying the rest", "applied"],
    ["stays as far as it was kept when the window is killed at any step of applying the rest", "accepted"],
  ]).hold(async (earlier) => {
    const [first, rest] = [changes.slice(0, 2), changes.slice(2)];
    let before: ReadonlyMap<string, string>;
    const prepared = async (): Promise<void> => {
      await reset(side("before"));
      await applyChange(id, first, { store, files: disk });
      await store.update(id, { stage: earlier });
      before = disk.texts();
    };
    const applyRest: Work = (where) => applyChange(id, rest, where);
    await killAtEachStep(prepared, applyRest, async (where) => {
      const isWhole = isDeepStrictEqual(disk.texts(), side("after"));
      if (!isWhole) assert.deepEqual(disk.texts(), before, where);
      assert.equal(await stageOf(id), isWhole ? "applied" : earlier);
      await undo();
      if (isWhole && earlier === "accepted") {
        assert.deepEqual(disk.texts(), before, where);
        const stored = await store.load(id);
        const states = await fileStates("undone", { files: changes, skipped: [] }, stored?.files ?? [], {
          read: (uri) => disk.read(uri),
        });
        const found = states.map(({ state }) => state);
        assert.deepEqual(found, ["accepted", "accepted", "undone", "undone", "undone"]);
        await undo();
      }
      assert.deepEqual(disk.texts(), side("before"), where);
    });
  });

  describe("with a hunk that is kept, one that was undone, and one that is open", () => {
    const [uri, more] = ["file:///hunks", "file:///more"];
    const lines = (letters: string): string => `${Array.from(letters).join("\n")}\n`;
    const [none, kept, undone, whole] = [lines("abcdefgh"), lines("aBcdefgh"), lines("aBcdefgH"), lines("aBcdEfgH")];
    const applyMore: Work = (where) =>
      applyChange(id, [{ uri: more, before: bytes("old"), after: bytes("new") }], where);

    each<[], Work>([
      ["keeps its decisions while the rest is applied", applyMore],
      ["is taken back as a whole or not at all", undoing],
    ]).hold(async (work) => {
      const prepared = async (): Promise<void> => {
        await reset(new Map(Object.entries({ [uri]: none, [more]: "old" })));
        await applyChange(id, [{ uri, before: bytes(none), after: bytes(whole) }], { store, files: disk });
        await store.update(id, { decisions: [{ uri, accepted: [1] }] });
        await disk.write(uri, bytes(undone));
      };
      await killAtEachStep(prepared, work, async (where) => {
        const text = disk.texts().get(uri) ?? "";
        assert.ok([undone, kept].includes(text), `${where}: ${text}`);
        await undo();
        assert.deepEqual(disk.texts(), new Map(Object.entries({ [uri]: kept, [more]: "old" })), where);
      });
    });
  });

  const half = "a\nB\nc\nd\ne\n";
  each<[newUri: string | undefined, stage: Stage, now: string], string>([
    ["is taken back with the hunks that were kept once all was kept", undefined, "accepted", half, "a\nb\nc\nd\ne\n"],
    ["is taken back to the old name of a file, with the hunks that are kept", "file:///to", "applied", half, half],
  ]).hold(async (newUri, stage, now, expected) => {
    const uri = "file:///from";
    disk = new Disk(new Map([[uri, "a\nb\nc\nd\ne\n"]]));
    const change = { uri, newUri, before: bytes("a\nb\nc\nd\ne\n"), after: bytes("a\nB\nc\nD\ne\n") };
    await applyChange(id, [change], { store, files: disk });
    await store.update(id, { stage, decisions: [{ uri: newUri ?? uri, accepted: [1] }] });
    await disk.write(newUri ?? uri, bytes(now));
    assert.deepEqual(await undo(), []);
    assert.deepEqual(disk.texts(), new Map([[uri, expected]]));
  });

  it("is gone from the store where the window was killed before it was stored to the end", async () => {
    const unfinished = join(folder(), crypto.randomUUID());
    mkdirSync(unfinished);
    await recover();
    assert.ok(!existsSync(unfinished));
  });

  it("is in the store as a whole where two windows store it at the same time", async () => {
    await apply();
    const other = new ChangeStore(folder());
    for (let count = 0; count < 20; count += 1) {
      const decisions = [{ uri: "file:///a", accepted: Array.from({ length: 20_000 }, (_, key) => key) }];
      await Promise.all([store.update(id, { decisions }), other.update(id, { decisions: [] })]);
      assert.ok(await store.record(id));
    }
    const unfinished = readdirSync(join(folder(), id)).filter((name) => /json./.test(name));
    assert.deepEqual(unfinished, []);
  });

  it("is recovered except for files that were changed since, or may not be written, of a renamed one at both paths", async () => {
    await apply();
    await store.update(id, { stage: "applying" });
    await disk.write("file:///a", bytes("mine"));
    const mayWriteAll = (uri: string): Promise<boolean> => Promise.resolve(uri !== "file:///new-name");
    const recovered = await recoverChanges({ store, files: disk }, mayWriteAll);
    assert.deepEqual(recovered, new Map([[id, ["file:///a", "file:///old-name", "file:///new-name"]]]));
    const expected = new Map([...side("before"), ["file:///a", "mine"], ["file:///new-name", "moved, and changed"]]);
    expected.delete("file:///old-name");
    assert.deepEqual(disk.texts(), expected);
    // A file may be written later, for example once its editor is saved.
    await undo();
    assert.deepEqual(disk.texts(), new Map([...side("before"), ["file:///a", "mine"]]));
  });

  describe("that cannot be recovered", () => {
    const files = ["file:///one", "file:///two"] as const;
    const ids = files.map(() => crypto.randomUUID());
    const recoverAll = async (): Promise<readonly (readonly string[])[]> => [...(await recover()).values()];

    beforeEach(async () => {
      disk = new Disk(new Map(files.map((uri) => [uri, "old"])));
      for (const [index, uri] of files.entries()) {
        const one = ids[index] ?? "";
        await applyChange(one, [{ uri, before: bytes("old"), after: bytes("new") }], { store, files: disk });
        await store.update(one, { stage: "applying" });
      }
    });

    it("does not keep later ones from that, and is recovered once its file can be written", async () => {
      disk.fullAt = disk.writes;
      assert.deepEqual(await recoverAll(), [[files[0]], []]);
      assert.equal(disk.texts().get(files[1]), "old");
      assert.deepEqual(await recoverAll(), [[]]);
      assert.equal(disk.texts().get(files[0]), "old");
    });

    it("because its contents are gone is reported once, and is not applied any more", async () => {
      const [one = ""] = ids;
      for (const name of readdirSync(join(folder(), one))) if (name.length === 64) rmSync(join(folder(), one, name));
      assert.deepEqual(await recoverAll(), [[files[0]], []]);
      assert.deepEqual(await recoverAll(), []);
      assert.equal(await undoChange(one, { store, files: disk }), undefined);
      assert.deepEqual([...disk.texts().values()], ["new", "old"]);
    });
  });

  it("stays in the store until 20 later ones are there", async () => {
    const one: readonly DiskChange[] = [{ uri: "file:///x", after: bytes("") }];
    for (let count = 0; count < 21; count += 1) await store.store(crypto.randomUUID(), one);
    assert.equal((await store.records()).length, 20);
    assert.equal(await store.load("../x"), undefined);
  });

  async function prepare(isApplied: boolean): Promise<void> {
    await reset(side("before"));
    if (isApplied) await apply();
  }

  async function reset(texts: ReadonlyMap<string, string>): Promise<void> {
    await store.remove(id);
    disk = new Disk(texts);
  }

  /** Kills the window at each step of some work, of which a part is done, and looks at what the next window recovers. */
  async function killAtEachStep(
    prepared: () => Promise<void>,
    work: Work,
    look: (where: string) => void | Promise<void>,
  ): Promise<void> {
    await prepared();
    const rehearsal = new Life();
    await rehearsal.run({ store, files: disk }, work);
    assert.ok(rehearsal.steps > 0);
    for (let step = 0; step < rehearsal.steps; step += 1) {
      for (const part of [0, 0.5, 1]) {
        await prepared();
        await assert.rejects(new Life(step, part).run({ store, files: disk }, work), Killed);
        store = new ChangeStore(folder());
        await recover();
        await look(`step ${step}, ${part}`);
      }
    }
  }

  async function undo(): Promise<readonly string[]> {
    return (await undoChange(id, { store, files: disk }))?.changed ?? [];
  }
});

/** Files in memory. */
class Disk implements FileAccess {
  readonly #files: Map<string, Uint8Array>;
  readonly modes = new Map<string, number | undefined>();
  readonly removed = new Set<string>();
  /** What saving a file with unsaved changes runs. */
  readonly unsaved = new Map<string, () => void>();
  writes = 0;
  /** The first of the writes that fail, after half of their bytes, and their number. */
  fullAt = Infinity;
  fullFor = 1;

  constructor(texts: ReadonlyMap<string, string>) {
    this.#files = new Map([...texts].map(([uri, text]) => [uri, bytes(text)]));
  }

  read(uri: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#files.get(uri));
  }

  save(uri: string): Promise<boolean> {
    const onSave = this.unsaved.get(uri);
    this.unsaved.delete(uri);
    onSave?.();
    return Promise.resolve(onSave !== undefined);
  }

  write(uri: string, content: Uint8Array, mode?: number): Promise<void> {
    if (this.#isFull()) {
      this.#files.set(uri, content.subarray(0, content.length / 2));
      return Promise.reject(new Error("ENOSPC"));
    }
    this.#files.set(uri, content);
    this.modes.set(uri, mode);
    return Promise.resolve();
  }

  remove(uri: string): Promise<void> {
    if (this.#isFull()) return Promise.reject(new Error("ENOSPC"));
    assert.ok(this.#files.delete(uri));
    return Promise.resolve();
  }

  missingFolder(uri: string): Promise<string | undefined> {
    return Promise.resolve(uri === "file:///new" ? "file:///folder" : undefined);
  }

  removeFolders(_: string, top: string): Promise<void> {
    this.removed.add(top);
    return Promise.resolve();
  }

  #isFull(): boolean {
    const at = this.writes++;
    return at >= this.fullAt && at < this.fullAt + this.fullFor;
  }

  texts(): ReadonlyMap<string, string> {
    return new Map([...this.#files].map(([uri, content]) => [uri, textOf(content)]));
  }
}

class Killed extends Error {}

/** Takes steps that can be killed. */
type Work = (where: ChangeFiles) => Promise<unknown>;

const { rename } = fs;

/** A life of `last` steps, each a write to the files or in the store. The step at which it ends is done to the given part. */
class Life {
  readonly #last: number;
  readonly #part: number;
  steps = 0;

  constructor(last = Infinity, part = 0) {
    this.#last = last;
    this.#part = part;
  }

  /** Runs work as long as this life lasts. */
  async run({ store, files }: ChangeFiles, work: Work): Promise<void> {
    const mortal: FileAccess = {
      read: (uri) => this.#alive(() => files.read(uri)),
      save: (uri) => this.#alive(() => files.save(uri)),
      write: (uri, content, mode) =>
        this.#step((part) => files.write(uri, content.subarray(0, Math.floor(content.length * part)), mode)),
      remove: (uri) => this.#step((part) => (part === 1 ? files.remove(uri) : Promise.resolve())),
      missingFolder: (uri) => this.#alive(() => files.missingFolder(uri)),
      removeFolders: (uri, top) => this.#alive(() => files.removeFolders(uri, top)),
    };
    setRename((from, to) => this.#step((part) => (part === 1 ? rename(from, to) : Promise.resolve())));
    try {
      await work({ store, files: mortal });
    } catch (error) {
      // Whatever it says after its end, nobody hears.
      throw this.steps > this.#last ? new Killed() : error;
    } finally {
      setRename(rename);
    }
  }

  #step(write: (part: number) => Promise<void>): Promise<void> {
    return this.#alive(async () => {
      const isLast = this.steps++ === this.#last;
      await write(isLast ? this.#part : 1);
      if (isLast) throw new Killed();
    });
  }

  async #alive<T>(work: () => Promise<T>): Promise<T> {
    if (this.steps > this.#last) throw new Killed();
    return await work();
  }
}

/** Replaces what puts a file of a store in place. */
function setRename(value: typeof rename): void {
  Object.defineProperty(fs, "rename", { value, configurable: true, writable: true });
  syncBuiltinESMExports();
}

function textOf(content: Uint8Array): string {
  return Buffer.from(content).toString();
}
