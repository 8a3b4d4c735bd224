/** A text from outside as a log or a notice may show it: some gateways quote the key they refuse. */
export function withoutKeys(text: string): string {
  return text.replace(/\bsk-[^\s"'<>]+/g, "sk-…");
}
