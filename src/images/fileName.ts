const longest = 60;

/** Names that Windows keeps for devices, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A file name, without extension, that says what the prompt was: letters and digits of any language joined by hyphens,
 * at most 60 characters.
 */
export function fileNameFor(prompt: string): string {
  const words = prompt.normalize("NFC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const name = shortened(Array.from(words.join("-")));
  if (name === "") return "image";
  return reserved.test(name.normalize("NFKC")) ? `image-${name}` : name;
}

/** Whole words where that leaves more than half. */
function shortened(characters: readonly string[]): string {
  if (characters.length <= longest) return characters.join("");
  const end = characters.lastIndexOf("-", longest);
  return characters.slice(0, end > longest / 2 ? end : longest).join("");
}

/** The name as such, then with a number: `cat.png`, `cat-2.png`, `cat-3.png` … */
export function* numberedNames(name: string, extension: string): Generator<string, never> {
  yield `${name}.${extension}`;
  for (let number = 2; ; number++) yield `${name}-${number}.${extension}`;
}
