import { posix } from "node:path";
import { setImmediate } from "node:timers/promises";

/** A file that may be relevant to a question, with its path in the workspace. */
export interface Candidate {
  readonly path: string;
  readonly text: string;
  /** Lines, from zero, where language servers found declarations of names in the question. */
  readonly declarations?: readonly number[] | undefined;
}

/** A file with its relevance to a question. */
export type Ranked<File extends Candidate = Candidate> = File & {
  readonly score: number;
  /** The share of the question's terms that occur in the file or its path: 0 to 1. */
  readonly coverage: number;
};

/** Weight of a term in a folder's name. In a file's name, the weight is the share of the name that matches. */
const folderWeight = 0.5;

/** The parameters k1 and b of BM25: term frequency saturation and document length normalization. */
const saturation = 1.2;
const lengthNormalization = 0.6;

/** Score of a file in which a language server found a declaration. */
const declarationScore = 15;

/** Weights of files that are rarely relevant unless the question has one of the words: tests, documents, and data. */
const pathWeights: readonly (readonly [path: RegExp, weight: number, word: RegExp])[] = [
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

/** The share of a file's score that is added to the files that it imports. */
const importWeight = 0.2;

/** Number of the best files whose imports count. */
const maxImporters = 8;

const relativeImport = /["'](\.{1,2}\/[^"'\n]{1,200})["']/g;

/** Number of characters to index before yielding to the event loop, so that the extension host stays responsive. */
const batchLength = 200_000;

/** Maximum number of names to search for. A question may have a log with thousands. */
const maxNames = 100;

/** The candidates that are relevant to the question, the most relevant first. */
export async function rankFiles<File extends Candidate>(
  question: string,
  candidates: readonly File[],
  signal?: AbortSignal,
): Promise<readonly Ranked<File>[]> {
  const terms = termsOf(question);
  const names = namesIn(question).slice(0, maxNames);
  const cache: WordCache = new Map();
  const indexed: (ReturnType<typeof countTerms> & { readonly file: File; readonly nameScore: number })[] = [];
  let indexedLength = 0;
  for (const file of candidates) {
    indexedLength += file.text.length;
    if (indexedLength > batchLength) {
      await setImmediate();
      indexedLength = 0;
    }
    signal?.throwIfAborted();
    indexed.push({ file, ...countTerms(file, terms, cache), nameScore: scoreNames(file, names) });
  }
  const averageLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const [texts, paths] = [indexed.map(({ counts }) => counts), indexed.map(({ path }) => path)];
  const [textWeights, nameWeights] = [inverseFrequency(terms, texts), inverseFrequency(terms, paths)];
  const maxWeight = Math.log(2 + indexed.length);
  // Code has few words in other scripts, and pairs of Chinese characters also join neighboring words.
  const latin = new Set([...terms].filter((term) => /\p{Script=Latin}/u.test(term)));
  const expected = latin.size > 0 ? latin : terms;
  const weightOf = pathWeightsFor(question);
  const scored = indexed.map(({ file, counts, length, path, nameScore }) => {
    let score = nameScore;
    for (const [term, count] of counts) {
      const norm = saturation * (1 - lengthNormalization + (lengthNormalization * length) / averageLength);
      score += ((textWeights.get(term) ?? 0) * count * (saturation + 1)) / (count + norm);
    }
    for (const [term, weight] of path) score += (nameWeights.get(term) ?? 0) * weight;
    const found = new Set([...counts.keys(), ...path.keys()]).intersection(expected);
    const coverage = nameScore > 0 ? 1 : found.size / expected.size;
    return { ...file, score: (score * weightOf(file.path)) / maxWeight, coverage };
  });
  return withImports(scored)
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.path.localeCompare(other.path));
}

/** Minimum score of the best file, and minimum coverage of one of the best, in a relevant result. */
const minScore = 1.1;
const minCoverage = 0.5;

/** Whether a question is about these files. A question about the weather, for example, is not. */
export function isRelevant([best, ...others]: readonly Ranked[]): boolean {
  if (best === undefined || best.score < minScore) return false;
  return [best, ...others.slice(0, maxImporters)].some(({ coverage }) => coverage > minCoverage);
}

/** An identifier, a path, or the name of a dotfile. In Chinese and Japanese, words follow them without a space. */
const nameInText = /(?:(?<![\p{Script=Latin}\p{N}_$)\].])\.)?[\p{Script=Latin}_$][\p{Script=Latin}\p{N}_$./-]{2,200}/gu;

/** The identifiers and file names in a question. */
export function namesIn(question: string): readonly string[] {
  const names = Array.from(question.matchAll(nameInText), ([name]) => name.replace(/[./-]+$/, ""));
  const quoted = new Set(Array.from(question.matchAll(/`([^`\s]+)`/g), ([, name]) => name?.replace(/\(.*$/, "")));
  return names.filter((name) => /[a-z][A-Z]|[_$./]|\d/.test(name) || quoted.has(name));
}

function scoreNames({ path, text, declarations = [] }: Candidate, names: readonly string[]): number {
  let score = declarations.length > 0 ? declarationScore : 0;
  for (const name of names) {
    // A path in a stack trace may be that of another machine.
    const isNamed = `/${path}`.endsWith(`/${name}`) || (path.includes("/") && name.endsWith(`/${path}`));
    if (isNamed || posix.basename(path).split(".")[0] === name) score += 30;
    else if (text.includes(name)) score += 3;
  }
  return score;
}

/** The inverse document frequency of each term, as BM25 defines it. */
function inverseFrequency(
  terms: ReadonlySet<string>,
  documents: readonly Pick<ReadonlySet<string>, "has">[],
): ReadonlyMap<string, number> {
  return new Map(
    Array.from(terms, (term) => {
      const frequency = documents.filter((document) => document.has(term)).length;
      return [term, Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5))];
    }),
  );
}

/** How often each term occurs in a file, the file's length in words, and the weight of each term in its path. */
function countTerms(
  { path, text }: Candidate,
  terms: ReadonlySet<string>,
  cache: WordCache,
): {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  readonly path: ReadonlyMap<string, number>;
} {
  const counts = new Map<string, number>();
  const words = wordsIn(text, cache);
  for (const word of words) if (terms.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const name = posix.basename(path).replace(/\..*$/, "");
  const inName = matchingTerms(name, terms);
  const weights = new Map<string, number>();
  for (const term of matchingTerms(posix.dirname(path), terms)) weights.set(term, folderWeight);
  for (const term of inName) weights.set(term, inName.size / new Set(wordsIn(name)).size);
  return { counts, length: words.length, path: weights };
}

/** The terms that occur in a text. */
export function matchingTerms(text: string, terms: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(wordsIn(text)).intersection(terms);
}

/** The weights of files for a question by their paths: less than 1 for files that are rarely relevant. */
export function pathWeightsFor(question: string): (path: string) => number {
  const weights = pathWeights.filter(([, , word]) => !word.test(question));
  return (path) => weights.find(([pattern]) => pattern.test(path))?.[1] ?? 1;
}

/** Adds to the scores of files that the best ones import. Adding to those of their importers did not help when measured. */
function withImports<File extends Candidate>(scored: readonly Ranked<File>[]): readonly Ranked<File>[] {
  const best = scored.toSorted((one, other) => other.score - one.score).slice(0, maxImporters);
  const added = new Map<string, number>();
  for (const { path, text, score } of best) {
    for (const [, target = ""] of text.matchAll(relativeImport)) {
      const file = posix.join(posix.dirname(path), target);
      added.set(file, Math.max(added.get(file) ?? 0, score * importWeight));
    }
  }
  return scored.map((file) => {
    const { path, score } = file;
    // Imports name the compiled file in some languages, and have no file extension in others.
    const specifiers = [path, path.replace(/\.\w+$/, ".js"), path.replace(/\.\w+$/, "")];
    return { ...file, score: score + (specifiers.map((one) => added.get(one)).find((one) => one !== undefined) ?? 0) };
  });
}

/** Stop words of English and of source code. */
const stopWords = new Set(
  "a add adds allow allows also always an and any anymore are as at avoid be been before broken but by can correctly do does don each ensure even fail failed fails fix fixed for from get handle handles has have happen happens how i if ignore improve in instead into is it its let make makes may me missing must my never no not of on once one only or our prevent properly respect same set should so stay stays still support supports than that the their them then there these they this to too up us use used uses using was way we were what when where whether which who whose why will with without work works would wrong you your const export function import return readonly string type void new".split(
    " ",
  ),
);

/** Maximum length of a word; longer runs of characters are data. */
const maxLength = 40;

/** The words of identifiers that were split before, because most occur often. */
type WordCache = Map<string, readonly string[]>;

/**
 * The words in a text or in code, in lowercase, without stop words and common endings: `retriesRead` gives "retry" and "read".
 * Chinese gives pairs of characters.
 */
export function wordsIn(text: string, cache: WordCache = new Map()): readonly string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(/[\p{Script=Latin}\p{N}]+|[\p{L}--\p{Script=Latin}]+/gv)) {
    let parts = cache.get(run);
    if (parts === undefined) {
      parts = /\p{Script=Han}/u.test(run) ? pairsOf(run) : partsOf(run);
      cache.set(run, parts);
    }
    for (const part of parts) words.push(part);
  }
  return words;
}

/** The search terms in a question. */
export function termsOf(question: string): ReadonlySet<string> {
  return new Set(wordsIn(question).filter((word) => word.length > 1));
}

function partsOf(run: string): readonly string[] {
  return run
    .split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})/u)
    .map((part) => part.toLowerCase())
    .filter((part) => part.length <= maxLength && !stopWords.has(part))
    .map(stem);
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
}

/** Removes endings, so that "retries", "retried", and "retry" are the same word. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ies|ied)$/, "y").replace(/(?:ings?|ed|ers?|es|s|e)$/, "") : word;
}
