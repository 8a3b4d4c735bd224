import { posix } from "node:path";
import { setImmediate } from "node:timers/promises";

/** A file of the workspace that may matter, by its path in the workspace. */
export interface Candidate {
  readonly path: string;
  readonly text: string;
  /** Lines, from zero, that declare what the question names, as language servers say. */
  readonly declares?: readonly number[] | undefined;
}

/** A file and how much it has to do with a question. */
export interface Ranked extends Candidate {
  readonly score: number;
  /** The share of the words of the question that occur in the file or its path: 0 to 1. */
  readonly coverage: number;
}

/** What a word counts in the folders of a file; in its name, it counts 1 where it is all of the name. */
const folderShare = 0.5;

/** Constants of BM25: how fast further mentions stop to count, and how much a long file has to mention a word more. */
const saturation = 1.2;
const lengthShare = 0.6;

/** What it counts that a language server names a file. */
const declaredScore = 15;

/** What files count that are rarely what is asked about. */
const lesser: readonly (readonly [path: RegExp, share: number, word: RegExp])[] = [
  [
    /(?:^|\/)(?:(?:tests?|specs?|__tests__|testdata|fixtures?|examples?|samples?|demos?|playground|bench(?:es|marks?)?)\/|test_[^/]*$)|[._-](?:test|spec)\.\w+$/i,
    0.45,
    /\btest|\bspec|\bexample|\bsample|\bdemo|\bplayground|\bbench|测试|示例/i,
  ],
  [/\.(?:md|mdx|rst|txt)$|(?:^|\/)docs?\//i, 0.5, /\breadme|\bdocument|\bchangelog|文档/i],
  [
    /(?:^|\/)(?:l10n|locales?|i18n)\/|\.nls\.|\.(?:json|ya?ml|toml|svg|css)$/i,
    0.4,
    /json|setting|transl|config|style|css|翻译/i,
  ],
];

/** What a file gets of the score of one that imports it, or that it imports. */
const importedShare = 0.2;

/** How many of the best files are asked for their imports. */
const mostImporters = 8;

const imported = /["'](\.{1,2}\/[^"'\n]{1,200})["']/g;

/** How many files are read before others get a turn, so that the window never waits for this. */
const atOnce = 25;

/** The candidates that have anything to do with the question, the most important first. */
export async function rankFiles(
  question: string,
  candidates: readonly Candidate[],
  signal?: AbortSignal,
): Promise<readonly Ranked[]> {
  const topic = topicWords(question);
  const names = namesIn(question);
  const known: KnownRuns = new Map();
  const indexed: (ReturnType<typeof countWords> & { readonly file: Candidate })[] = [];
  for (const [index, file] of candidates.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
    signal?.throwIfAborted();
    indexed.push({ file, ...countWords(file, topic, known) });
  }
  const averageLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const [texts, paths] = [indexed.map(({ counts }) => counts), indexed.map(({ path }) => path)];
  const [inTexts, inPaths] = [rarityOf(topic, texts), rarityOf(topic, paths)];
  const highest = Math.log(2 + indexed.length);
  const scored = indexed.map(({ file, counts, length, path }) => {
    const named = namedScore(file, names);
    let score = named;
    for (const [word, count] of counts) {
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / averageLength);
      score += ((inTexts.get(word) ?? 0) * count * (saturation + 1)) / (count + norm);
    }
    for (const [word, share] of path) score += (inPaths.get(word) ?? 0) * share;
    const coverage = named > 0 ? 1 : new Set([...counts.keys(), ...path.keys()]).size / topic.size;
    return { ...file, score: (score * shareOf(file.path, question)) / highest, coverage };
  });
  return withImports(scored)
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.path.localeCompare(other.path));
}

/** One file needs more than this share of the words, and this score. */
const leastCoverage = 0.5;
const leastScore = 1.1;

/** Whether a question is about these files at all: none of them is sent along with a question about the weather. */
export function isAbout([best, ...others]: readonly Ranked[]): boolean {
  if (best === undefined || best.score < leastScore) return false;
  return [best, ...others.slice(0, mostImporters)].some(({ coverage }) => coverage > leastCoverage);
}

/** Identifiers and file names that the question gives as they are. */
export function namesIn(question: string): readonly string[] {
  const names = Array.from(question.matchAll(/[\p{L}_$][\p{L}\p{N}_$./-]{2,80}/gu), ([name]) =>
    name.replace(/[./-]+$/, ""),
  );
  const quoted = new Set(Array.from(question.matchAll(/`([^`\s]+)`/g), ([, name]) => name?.replace(/\(.*$/, "")));
  return names.filter((name) => /[a-z][A-Z]|[_$./]|\d/.test(name) || quoted.has(name));
}

function namedScore({ path, text, declares = [] }: Candidate, names: readonly string[]): number {
  let score = declares.length > 0 ? declaredScore : 0;
  for (const name of names) {
    if (path === name || path.endsWith(`/${name}`) || posix.basename(path).split(".")[0] === name) score += 30;
    else if (text.includes(name)) score += 3;
  }
  return score;
}

/** How rare each word is: it weighs more, the more files there are that don't have it. */
function rarityOf(
  topic: ReadonlySet<string>,
  files: readonly Pick<ReadonlySet<string>, "has">[],
): ReadonlyMap<string, number> {
  return new Map(
    Array.from(topic, (word) => {
      const having = files.filter((file) => file.has(word)).length;
      return [word, Math.log(1 + (files.length - having + 0.5) / (having + 0.5))];
    }),
  );
}

/** How often a file has each word of the topic, how long it is, and what each word counts in its path. */
function countWords(
  file: Candidate,
  topic: ReadonlySet<string>,
  known: KnownRuns,
): {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  readonly path: ReadonlyMap<string, number>;
} {
  const counts = new Map<string, number>();
  const body = wordsIn(file.text, known);
  for (const word of body) if (topic.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const name = new Set(wordsIn(posix.basename(file.path).replace(/\..*$/, "")));
  const share = [...name].filter((word) => topic.has(word)).length / name.size;
  const path = new Map<string, number>();
  for (const word of wordsIn(posix.dirname(file.path))) if (topic.has(word)) path.set(word, folderShare);
  for (const word of name) if (topic.has(word)) path.set(word, share);
  return { counts, length: body.length, path };
}

/** What a file counts by its path: less where it is rarely what is asked about. */
export function shareOf(path: string, question: string): number {
  const share = lesser.find(([pattern, , word]) => pattern.test(path) && !word.test(question))?.[1];
  return share ?? 1;
}

/** Files that the best ones import matter too. Those that import them were measured not to help. */
function withImports(scored: readonly Ranked[]): readonly Ranked[] {
  const best = scored.toSorted((one, other) => other.score - one.score).slice(0, mostImporters);
  const extra = new Map<string, number>();
  for (const { path, text, score } of best) {
    for (const [, target = ""] of text.matchAll(imported)) {
      const file = posix.join(posix.dirname(path), target);
      extra.set(file, Math.max(extra.get(file) ?? 0, score * importedShare));
    }
  }
  return scored.map((file) => {
    const { path } = file;
    // Code may import the file that it is compiled to, or leave out the ending.
    const forms = [path, path.replace(/\.\w+$/, ".js"), path.replace(/\.\w+$/, "")];
    const share = forms.map((form) => extra.get(form)).find((one) => one !== undefined);
    return { ...file, score: file.score + (share ?? 0) };
  });
}

/** Words of English and of source code that say nothing about what is meant. */
const common = new Set(
  "a add adds allow allows also always an and any anymore are as at avoid be been before broken but by can correctly do does don each ensure even fail failed fails fix fixed for from get handle handles has have happen happens how i if ignore improve in instead into is it its let make makes may me missing must my never no not of on once one only or our prevent properly respect same set should so stay stays still support supports than that the their them then there these they this to too up us use used uses using was way we were what when where whether which who whose why will with without work works would wrong you your const export function import return readonly string type void new".split(
    " ",
  ),
);

/** The longest text that counts as a word. */
const longest = 40;

/** The words of identifiers that were read before; most occur often. */
type KnownRuns = Map<string, readonly string[]>;

/**
 * The words in a text or in code, in lower case and without common endings: `retriesFailed` gives "retry" and "fail".
 * Chinese gives pairs of characters.
 */
export function wordsIn(text: string, known: KnownRuns = new Map()): readonly string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    let parts = known.get(run);
    if (parts === undefined) {
      parts = /\p{Script=Han}/u.test(run) ? pairsOf(run) : partsOf(run);
      known.set(run, parts);
    }
    for (const part of parts) words.push(part);
  }
  return words;
}

/** The words of a question that say what it is about. */
export function topicWords(question: string): ReadonlySet<string> {
  return new Set(wordsIn(question).filter((word) => word.length > 1));
}

function partsOf(run: string): readonly string[] {
  return run
    .split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})/u)
    .map((part) => part.toLowerCase())
    .filter((part) => part.length <= longest && !common.has(part))
    .map(stem);
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
}

/** Cuts off endings so that "retries", "retried" and "retry" are one word. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ies|ied)$/, "y").replace(/(?:ings?|ed|ers?|es|s|e)$/, "") : word;
}
