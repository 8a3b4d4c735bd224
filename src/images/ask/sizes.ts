/** The size that is recommended and most reliable; all others depend on the upstream. */
export const squareSize = "1024x1024";

/** The size an order carries where nobody is asked; `undefined` lets the gateway choose. */
export function sizeWithoutAsking(setting: string): string | undefined {
  if (setting === "ask") return squareSize;
  return setting === "auto" ? undefined : setting;
}
