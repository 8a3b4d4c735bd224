/** Maximum length of a link, in characters. */
const maxLength = 8 * 1024;

/** Whether an image may be fetched from a link. */
export function isImageLink(link: string): boolean {
  if (link.length > maxLength) return false;
  const protocol = URL.parse(link)?.protocol;
  return protocol === "https:" || protocol === "http:";
}
