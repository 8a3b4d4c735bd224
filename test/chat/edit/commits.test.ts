import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import { hasEdits, resolveAnswer } from "../../../src/chat/edit/resolveAnswer.ts";
import { proposedFiles, writePatch } from "../../../src/chat/edit/proposedFiles.ts";
import type { FileChange } from "../../../src/apply/fileChange.ts";
import { readEdits } from "../../../src/edits/read/readEdits.ts";
import { type Commit, commits } from "../../support/edits/commits.ts";
import { Random } from "../../support/edits/random.ts";

type Outcome = "landed" | "untouched" | "wrong";

/** Something that models do to a patch. `undefined` where it cannot happen. */
type Damage = (patch: string, random: Random) => string | undefined;

const damages: Readonly<Record<string, Damage>> = {
  none: (patch) => patch,
  "white space lost at the ends of lines": (patch) => patch.replace(/[ \t]+$/gm, ""),
  "blank context without its space": (patch) => patch.replace(/^ $/gm, ""),
  "paths as in a diff": (patch) => patch.replace(/^(\*\*\* (?:Update|Delete) File: )/gm, "$1a/"),
  "paths from the folder": (patch) => patch.replace(/^(\*\*\* \w+ File: )/gm, "$1./"),
  "indentation lost where all lines of a place have it": (patch) =>
    patch.replace(/^@@\n(?:[ +-](?: {2}.*)?\n)+(?=@@|\*{3} |`{5})/gm, (text) => text.replace(/^([ +-]) {2}/gm, "$1")),
  "cut off": (patch, random) => patch.slice(0, random.below(patch.length - 16)),
  "cut off between files": (patch, random) => {
    const starts = [...patch.matchAll(/^\*\*\* \w+ File: /gm)].slice(1);
    return patch.slice(0, random.pick(starts)?.index ?? 0);
  },
  "a context line remembered wrongly": (patch, random) => change(patch, random, /^ .*\w{3}/, (row) => `${row} qux7`),
  "a removed line remembered wrongly": (patch, random) =>
    change(patch, random, /^-.*\w{3}/, (row) => row.replace(/\w{3}/, "qux7")),
  "an ellipsis for a context line": (patch, random) =>
    change(patch, random, /^ .*\w/, () => " // ... existing code ..."),
  "code left out of a new file": (patch, random) => change(patch, random, /^\+.*\w/, () => "+// ... existing code ..."),
  "a mark of a new line lost": (patch, random) =>
    change(patch, random, /^\+.*\w/, (row, rows) => {
      const isElsewhere = rows.some((other) => !other.startsWith("+") && other.slice(1).trim() === row.slice(1).trim());
      return isElsewhere ? row : row.slice(1);
    }),
  "a path that is not there": (patch) => patch.replace(/^(\*\*\* Update File: ).*$/m, "$1no/such/file.ts"),
  "a file that is created although it is there": (patch) => patch.replace("*** Update File:", "*** Add File:"),
};

/** Damages after which a patch says something else, so that it must not be applied. */
const refused = new Set([
  "cut off",
  "cut off between files",
  "a removed line remembered wrongly",
  "an ellipsis for a context line",
  "a path that is not there",
]);

describe("commits of this repository as answers", function () {
  this.timeout(60_000);
  let tasks: readonly Commit[] = [];

  before("read the history", function () {
    const history = commits(80);
    if (history.missing !== undefined) console.log(`    Without commits: ${history.missing}`);
    tasks = history.commits;
    if (history.missing !== undefined) this.skip();
    assert.ok(tasks.length >= 60);
  });

  for (const [title, damage] of Object.entries(damages)) {
    it(`change all files as the commit did, or none: ${title}`, () => {
      const counts: Record<Outcome, number> = { landed: 0, untouched: 0, wrong: 0 };
      for (const task of tasks) {
        const whole = patchOf(task);
        const patch = damage(whole, new Random(`${title} ${task.id}`));
        if (
          patch === undefined ||
          (patch === whole && title !== "none") ||
          !hasEdits(readEdits(patch, textsBefore(task)))
        )
          continue;
        const outcome = outcomeOf(task, patch);
        counts[outcome] += 1;
        assert.notEqual(outcome, "wrong", `${task.id}\n${patch}`);
        if (refused.has(title)) assert.equal(outcome, "untouched", `${task.id}\n${patch}`);
      }
      console.log(`      ${JSON.stringify(counts)}`);
      if (title === "none") assert.ok(counts.landed >= 0.9 * tasks.length, JSON.stringify(counts));
    });
  }
});

/** What a workspace is like once an answer is applied. */
function outcomeOf(task: Commit, answer: string): Outcome {
  const texts = textsBefore(task);
  const known = { texts, whole: new Set(texts.keys()), closed: new Map() };
  const { changes, problems, refusals } = resolveAnswer(readEdits(answer, texts), known);
  if (changes.length === 0) return problems.length + refusals.length > 0 ? "untouched" : "wrong";
  const after = new Map(texts);
  for (const { path, kind, newPath, text } of changes) {
    if (kind === "delete" || kind === "rename") after.delete(path);
    if (kind !== "delete") after.set(newPath ?? path, text);
  }
  const expected = new Map(texts);
  for (const { path, newPath, after: text } of task.files) {
    expected.delete(path);
    if (text !== undefined) expected.set(newPath ?? path, text);
  }
  const isSame = after.size === expected.size && [...expected].every(([path, text]) => after.get(path) === text);
  return isSame ? "landed" : "wrong";
}

/** The files before a commit, and one that it does not touch. */
function textsBefore({ files }: Commit): ReadonlyMap<string, string> {
  const texts = new Map([["docs/other.md", "# Other\n"]]);
  for (const { path, before: text } of files) if (text !== undefined) texts.set(path, text);
  return texts;
}

function patchOf({ files }: Commit): string {
  const changes = files.flatMap(({ path, newPath, before: old, after }): readonly FileChange[] => {
    const encoded = after === undefined ? {} : { after: Buffer.from(after) };
    const known = old === undefined ? {} : { before: Buffer.from(old) };
    if (newPath === undefined) return [{ uri: path, ...known, ...encoded }];
    return [
      { uri: path, ...known },
      { uri: newPath, ...encoded, renamedFrom: path },
    ];
  });
  const patch = writePatch(proposedFiles(changes), (uri) => uri);
  const fence = "`".repeat(Math.max(5, ...[...patch.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `The plan.\n\n${fence}\n${patch}\n${fence}\n`;
}

/** Changes one row of a patch that fits. */
function change(
  patch: string,
  random: Random,
  pattern: RegExp,
  write: (row: string, rows: readonly string[]) => string,
): string | undefined {
  const rows = patch.split("\n");
  const fitting = rows.flatMap((row, index) => (pattern.test(row) ? [index] : []));
  const index = random.pick(fitting);
  return index === undefined ? undefined : rows.toSpliced(index, 1, write(rows[index] ?? "", rows)).join("\n");
}
