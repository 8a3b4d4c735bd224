/**
 * Maximum length of a name, in characters and in bytes of UTF-8. With a number and an extension it stays below 255
 * bytes.
 */
const longest = 60;
const longestInBytes = 230;

/** Device names that Windows reserves, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Runs of visible letters, digits and marks. */
const words = /(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{M}])+/gu;

/**
 * Derives a file name without extension from a prompt: letters and digits of any language joined by hyphens, at most 60
 * characters.
 */
export function fileNameFor(prompt: string): string {
  const name = shortened(Array.from((prompt.normalize("NFC").match(words) ?? []).join("-")));
  if (name === "") return "image";
  return reserved.test(name.normalize("NFKC")) ? `image-${name}` : name;
}

/** Truncates at a word boundary if that keeps more than half. */
function shortened(characters: readonly string[]): string {
  const fitting = fittingIn(characters);
  if (fitting === characters.length) return characters.join("");
  const end = characters.lastIndexOf("-", fitting);
  return characters.slice(0, end > fitting / 2 ? end : fitting).join("");
}

/** The number of characters that fit into a name. */
function fittingIn(characters: readonly string[]): number {
  let bytes = 0;
  const end = characters.findIndex((one, index) => {
    bytes += Buffer.byteLength(one);
    return index === longest || bytes > longestInBytes;
  });
  return end < 0 ? characters.length : end;
}

/** The name itself, then with numbers: `cat.png`, `cat-2.png`, `cat-3.png` … */
export function* numberedNames(name: string, extension: string): Generator<string, never> {
  yield `${name}.${extension}`;
  for (let number = 2; ; number++) yield `${name}-${number}.${extension}`;
}
