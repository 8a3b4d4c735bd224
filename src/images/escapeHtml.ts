/** Text as it stands in HTML, between tags and in quotes. Braces too: Svelte and Vue read them as code. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'{}]/g, (one) => `&#${one.charCodeAt(0)};`);
}
