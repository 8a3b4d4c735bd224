/** Maximum numbers of files and bytes that are read for one prompt without the user having attached them. */
const max = { files: 200, bytes: 8_000_000 };

/** The files and bytes that may still be read for a prompt. */
export class ReadAllowance {
  #files = max.files;
  #bytes = max.bytes;

  /** Whether a file of this size may be read, too; if so, it counts. */
  take(size: number): boolean {
    if (this.#files === 0 || size > this.#bytes) return false;
    this.#files -= 1;
    this.#bytes -= size;
    return true;
  }
}
