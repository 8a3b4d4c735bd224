/** The longest name, in characters and in bytes of UTF-8: with a number and an extension it stays below 255 bytes. */
const longest = 60;
const longestInBytes = 230;

/** Names that Windows keeps for devices, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Runs of letters, digits and marks that show something. */
const words = /(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{M}])+/gu;

/**
 * A file name, without extension, that says what the prompt was: letters and digits of any language joined by hyphens,
 * at most 60 characters.
 */
export function fileNameFor(prompt: string): string {
  const name = shortened(Array.from((prompt.normalize("NFC").match(words) ?? []).join("-")));
  if (name === "") return "image";
  return reserved.test(name.normalize("NFKC")) ? `image-${name}` : name;
}

/** Whole words where that leaves more than half. */
function shortened(characters: readonly string[]): string {
  const fitting = fittingIn(characters);
  if (fitting === characters.length) return characters.join("");
  const end = characters.lastIndexOf("-", fitting);
  return characters.slice(0, end > fitting / 2 ? end : fitting).join("");
}

/** How many of the characters a name has room for. */
function fittingIn(characters: readonly string[]): number {
  let bytes = 0;
  const end = characters.findIndex((one, index) => {
    bytes += Buffer.byteLength(one);
    return index === longest || bytes > longestInBytes;
  });
  return end < 0 ? characters.length : end;
}

/** The name as such, then with a number: `cat.png`, `cat-2.png`, `cat-3.png` … */
export function* numberedNames(name: string, extension: string): Generator<string, never> {
  yield `${name}.${extension}`;
  for (let number = 2; ; number++) yield `${name}-${number}.${extension}`;
}
