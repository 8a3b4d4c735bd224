/** A name as one line: on most systems a file's name may hold line breaks, and a prompt would read on after them. */
export function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
