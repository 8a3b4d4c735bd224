/** A rough number of tokens: English and code take about four bytes each, Chinese about three. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
