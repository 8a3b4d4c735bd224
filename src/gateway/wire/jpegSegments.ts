/** A JPEG marker with its segment. */
export interface JpegSegment {
  readonly kind: "frame" | "end" | "other";
  /** The payload, without marker and length. */
  readonly content: Buffer;
  /** Number of bytes of compressed pixels, which come in steps of their own. */
  readonly scanned: number;
}

/** Maximum number of bytes of compressed pixels in one step. */
const slice = 4 * 1024 * 1024;

/** Maximum number of segments, so that a file of empty segments cannot take seconds. */
const maxSegments = 100_000;

const end = 0xd9;
const startOfScan = 0xda;

/** Exceptions among the start-of-frame markers C0 to CF: tables (C4, CC) and a reserved one (C8). */
const notFrames: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** The complete, well-formed segments after the start marker (ITU-T T.81, annex B). Linear in the number of bytes. */
export function* jpegSegments(file: Buffer): Generator<JpegSegment> {
  let count = 0;
  for (let at = 2; at + 1 < file.length && count < maxSegments;) {
    if (file[at] !== 0xff) return;
    const marker = file[at + 1] ?? 0;
    at += 1;
    // A marker may be preceded by any number of fill bytes.
    if (marker === 0xff) continue;
    at += 1;
    if (marker === end) {
      yield { kind: "end", content: file.subarray(at, at), scanned: 0 };
      return;
    }
    if (marker === 0 || isStandalone(marker)) return;
    if (at + 2 > file.length) return;
    const length = file.readUInt16BE(at);
    const next = at + length;
    if (length < 2 || next > file.length) return;
    count += 1;
    yield { kind: isFrame(marker) ? "frame" : "other", content: file.subarray(at + 2, next), scanned: 0 };
    at = next;
    for (let isOpen = marker === startOfScan; isOpen;) {
      const scanEnd = endOfScan(file, at, at + slice);
      isOpen = scanEnd === at + slice;
      if (scanEnd > at) yield { kind: "other", content: file.subarray(at, at), scanned: scanEnd - at };
      at = scanEnd;
    }
  }
}

/** Markers without a length, which may not appear between segments: restarts and a second start. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker);
}

/** The position of the next marker after a scan, or `most`. Stuffed zeros and restart markers belong to the scan. */
function endOfScan(file: Buffer, from: number, most: number): number {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (at === most) return at;
    if (file[at] !== 0xff) continue;
    const next = file[at + 1] ?? 0;
    const isPartOfScan = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isPartOfScan) return at;
  }
  return file.length;
}
