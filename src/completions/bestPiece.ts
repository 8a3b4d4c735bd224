/** Most lines that are looked at, and lines of a piece. */
const mostLines = 2_000;
const linesOfPiece = 12;
/** Fewest names that a piece has to share with the code. */
const leastShared = 2;

/** The lines of a text that share most names with some code, and how many; `undefined` if they share hardly any. */
export function bestPiece(text: string, code: string): { readonly text: string; readonly shared: number } | undefined {
  const wanted = new Set(namesIn(code));
  const lines = text.split(/\r?\n/, mostLines);
  const names = lines.map((line) => namesIn(line).filter((name) => wanted.has(name)));
  let best = { start: 0, shared: 0 };
  for (const [start, own] of names.entries()) {
    if (own.length === 0) continue;
    const shared = new Set(names.slice(start, start + linesOfPiece).flat()).size;
    if (shared > best.shared) best = { start, shared };
  }
  if (best.shared < leastShared) return undefined;
  return { text: lines.slice(best.start, best.start + linesOfPiece).join("\n"), shared: best.shared };
}

/** The names in code that say what it is about. Words of languages and of sentences are in small letters. */
function namesIn(code: string): readonly string[] {
  return code.slice(0, 20_000).match(/(?<![\p{L}\p{N}_$])(?=\p{Ll}*[\p{Lu}_\d])[\p{L}_$][\p{L}\p{N}_$]{3,60}/gu) ?? [];
}
