/** Words of English and of source code that say nothing about what is meant. */
const common = new Set(
  "a an and any anymore are as at be been before but by can do does each for from get has have happen happens how i if in into is it its let make may me my no not of on once one only or our same set so stay stays still than that the their them then there these they this to too up us use used uses using was way we were what when where whether which who whose why will with would you your const export function import return readonly string type void new".split(
    " ",
  ),
);

/** The longest text that counts as a word. */
const longest = 40;

/** The words of identifiers that were read before; most occur often. */
export type KnownRuns = Map<string, readonly string[]>;

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
    words.push(...parts);
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
  if (word.length <= 3) return word;
  const base = word
    .replace(/(?:ies|ied)$/, "y")
    .replace(/(?<=[^aeious])(?:ingly|edly)$/, "")
    .replace(/(?<=\w{3})(?:ations?|ions?|ments?|ness|[ae]nts?|[ae]nces?)$/, "")
    .replace(/(?<=\w{3})(?:ings?|ed|er|ers)$/, "")
    .replace(/(?<=(?:s|x|z|ch|sh))es$/, "")
    .replace(/(?<=[^s])s$/, "");
  return base.replace(/(?<=\w{3})e$/, "").replace(/([bdgklmnprt])\1$/, "$1");
}
