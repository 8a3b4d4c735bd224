const longest = 60;

/** Names that Windows keeps for devices, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A file name, without extension, that says what the prompt was: letters and digits of any language joined by hyphens,
 * at most 60 characters.
 */
export function fileNameFor(prompt: string): string {
  const words = prompt.normalize("NFC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const characters = Array.from(words.join("-"));
  const name = characters.slice(0, longest).join("").replace(/-$/, "");
  if (name === "") return "image";
  return reserved.test(name.normalize("NFKC")) ? `image-${name}` : name;
}

/** The name as such, then with a number: `cat.png`, `cat-2.png`, `cat-3.png` … */
export function* numberedNames(name: string, extension: string): Generator<string, never> {
  yield `${name}.${extension}`;
  for (let number = 2; ; number++) yield `${name}-${number}.${extension}`;
}
