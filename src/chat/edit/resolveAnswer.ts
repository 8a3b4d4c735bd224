import { isDeepStrictEqual } from "node:util";
import type { RefusalKind } from "../../apply/refusalTexts.ts";
import { asWritten, resolveMasked, type Restore } from "../../edits/resolveEdits.ts";
import type { Operation } from "../../edits/types.ts";
import { resolveWholePath, resolvePath } from "../../edits/read/paths.ts";
import type { EditReading } from "../../edits/read/readEdits.ts";
import { nearestLines, positionsOf, repairPrompt } from "../../edits/repairPrompt.ts";
import type { TargetLines, EditProblem, FileChange } from "../../edits/resolveEdits.ts";
import { splitLines } from "../../text/lines.ts";
import { shownText } from "../../prompts/shownText.ts";
import type { ContextPart } from "../context/planQuestion.ts";

/** A file that cannot be changed as an answer requires. */
export interface Refusal {
  readonly kind: RefusalKind;
  readonly path?: string;
  /** The line of the answer, from zero. */
  readonly line?: number;
  /** The line of the file, from zero, that the edit probably means. */
  readonly fileLine?: number | undefined;
}

/** What is known about the workspace when an answer is read. */
export interface KnownFiles {
  /** Texts by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Paths of files that the model has read in full. */
  readonly shownInFull: ReadonlySet<string>;
  /** Paths of files that are denied or cannot be read, and why. */
  readonly denied: ReadonlyMap<string, RefusalKind>;
  /** Puts values back in place of their placeholders; needed where the model has seen some. */
  readonly restore?: Restore;
}

/** The edits of an answer, all of them or none: with any problem, there are no changes. */
export interface ResolvedAnswer {
  readonly operations: readonly Operation[];
  readonly changes: readonly FileChange[];
  readonly problems: readonly EditProblem[];
  readonly refusals: readonly Refusal[];
}

/** Maximum number of problems to locate in their files, which takes time. */
export const maxLocated = 50;

/** Paths that an answer names. */
export interface NamedPaths {
  readonly all: ReadonlySet<string>;
  /** Paths of files that must exist. They may be abbreviated. */
  readonly existing: ReadonlySet<string>;
}

/** Finds the paths that the edits of an answer name. */
export function pathsIn({ operations }: EditReading): NamedPaths {
  const [all, existing] = [new Set<string>(), new Set<string>()];
  for (const operation of operations) {
    if (operation.type === "replace") continue;
    if (operation.path !== undefined) all.add(canonicalPath(operation.path));
    if (operation.path !== undefined && operation.type !== "create") existing.add(canonicalPath(operation.path));
    if (operation.type === "rename") all.add(canonicalPath(operation.newPath));
  }
  return { all, existing };
}

/** A path as edits resolve it; as it is written if it leads out of the workspace. */
function canonicalPath(path: string): string {
  return resolveWholePath(path)?.path ?? path;
}

/** Whether an answer has edits that name their files, or may have edits that are incomplete or cannot be read. */
export function hasEdits(reading: EditReading): boolean {
  const isUnreadable = reading.truncation !== undefined || reading.operations.some(({ type }) => type === "problem");
  return isUnreadable || pathsIn(reading).all.size > 0;
}

/** Resolves the edits of an answer as a whole. `target`: the lines that the question is about, if it is about some. */
export function resolveAnswer(
  reading: EditReading,
  { texts, shownInFull, denied, restore = asWritten }: KnownFiles,
  target?: TargetLines,
): ResolvedAnswer {
  const { operations } = reading;
  const { changes, problems } = resolveMasked(reading, texts, restore, target);
  const refusals = new Map<string, Refusal>();
  const refuse = (path: string, kind: RefusalKind | undefined): void => {
    if (kind !== undefined) refusals.set(`${kind} ${path}`, { kind, path });
  };
  for (const operation of operations) {
    if (operation.type === "replace" || operation.path === undefined) continue;
    const path = resolvePath(operation.path, texts, target?.path)?.path;
    if (path === undefined) continue;
    const isUnread = operation.type === "wholeFile" && texts.has(path) && !shownInFull.has(path);
    refuse(path, denied.get(path) ?? (isUnread ? "notRead" : undefined));
    if (operation.type !== "rename") continue;
    const newPath = canonicalPath(operation.newPath);
    const kind = denied.get(newPath);
    // A new path must be free, so it does not matter that the file there is not UTF-8.
    refuse(newPath, kind === "notText" ? "exists" : kind);
  }
  const hasProblem = problems.length + refusals.size > 0;
  return { operations, changes: hasProblem ? [] : changes, problems, refusals: [...refusals.values()] };
}

/** The problems of an answer with the lines of the files that they are about, where these can be found. */
export function locateProblems(
  { operations, problems }: Pick<ResolvedAnswer, "operations" | "problems">,
  { texts, restore = asWritten }: Pick<KnownFiles, "texts" | "restore">,
): readonly Refusal[] {
  const hunks = new Map(operations.flatMap((one) => (one.type === "hunk" ? [[one.line, one] as const] : [])));
  const files = new Map<string, ReturnType<typeof readLines>>();
  const fileAt = (path: string): ReturnType<typeof readLines> | undefined => {
    const text = texts.get(path);
    if (text !== undefined && !files.has(path)) files.set(path, readLines(text));
    return files.get(path);
  };
  return problems.map((problem, index) => {
    const old = hunks.get(problem.line ?? -1)?.hunk.old ?? [];
    const file = index < maxLocated && problem.path !== undefined ? fileAt(problem.path) : undefined;
    const nearest = file && nearestLines(file.lines, old.map(restore), file.positions);
    return { ...problem, fileLine: nearest && nearest.start + Math.max(0, nearest.differing) };
  });
}

function readLines(text: string): { lines: readonly string[]; positions: ReturnType<typeof positionsOf> } {
  const lines = splitLines(text);
  return { lines, positions: positionsOf(lines) };
}

/** Refusals of a file that the model has not read must not reveal its content. */
const dependsOnText: ReadonlySet<RefusalKind> = new Set([
  ...(["notFound", "ambiguous", "ellipsis", "masked", "omission", "overlap"] as const),
  ...(["alreadyApplied", "noChange", "tooComplex", "unseen"] as const),
]);

/** Refusals for the next question to a model that has read the files that were `shown`, by path. */
export function refusalsForModel(refusals: readonly Refusal[], shown: ReadonlyMap<string, string>): readonly Refusal[] {
  return refusals.map((refusal) => {
    const isKnown = refusal.path === undefined || shown.has(refusal.path) || !dependsOnText.has(refusal.kind);
    return { ...refusal, fileLine: undefined, ...(!isKnown && { kind: "notRead" as const }) };
  });
}

/** The texts of files as far as a question has shown them, by path. */
export function shownTexts<File>(
  parts: readonly (Pick<ContextPart, "text" | "start"> & { readonly uri?: File })[],
  pathOf: (uri: File) => string | undefined,
): ReadonlyMap<string, string> {
  const byPath = Map.groupBy(parts, ({ uri }) => uri && pathOf(uri));
  return new Map([...byPath].flatMap(([path, shown]) => (path === undefined ? [] : [[path, shownText(shown)]])));
}

/** The target lines of a question; `undefined` unless they are still the lines that the model was `shown`. */
export function unchangedTarget(
  target: TargetLines | undefined,
  shown: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, string>,
): TargetLines | undefined {
  if (!target) return undefined;
  const [read, now] = [shown, texts].map((files) => {
    const text = files.get(target.path)?.replace(/^\uFEFF/, "") ?? "";
    return splitLines(text).slice(target.start, target.end);
  });
  return isDeepStrictEqual(read, now) ? target : undefined;
}

/** The prompt of a second request for edits. Quotes only what the model was `shown`, by path. `undefined` if it would not help. */
export function repairFor(
  { operations, problems, refusals }: Pick<ResolvedAnswer, "operations" | "problems" | "refusals">,
  shown: ReadonlyMap<string, string>,
  restore?: Restore,
): string | undefined {
  const isKnown = problems.every(
    ({ kind, path }) => path === undefined || shown.has(path) || kind === "unknownFile" || kind === "exists",
  );
  return refusals.length === 0 && isKnown ? repairPrompt(operations, shown, problems, restore) : undefined;
}
