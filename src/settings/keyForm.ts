/** What is wrong with the form of a key. */
export type KeyFlaw = "empty" | "prefix" | "secret" | "characters";

/** The first flaw in the form of a key as typed, if any: `sk-` followed by the secret part, in visible ASCII. */
export function findKeyFlaw(typed: string): KeyFlaw | undefined {
  const key = typed.trim();
  if (key === "") return "empty";
  if (!/^[\x21-\x7e]+$/.test(key)) return "characters";
  if (!key.startsWith("sk-")) return "prefix";
  return key === "sk-" ? "secret" : undefined;
}
