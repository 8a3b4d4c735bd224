/** One marker of a JPEG with what belongs to it. */
export interface JpegSegment {
  readonly kind: "frame" | "end" | "other";
  /** Without marker and length. */
  readonly content: Buffer;
  /** Bytes of compressed pixels behind it. */
  readonly scanned: number;
}

/** Far more than a picture has; a file made of empty segments must not take seconds to walk through. */
const maxSegments = 100_000;

const end = 0xd9;
const startOfScan = 0xda;

/** Start-of-frame markers are C0 to CF without the tables (C4, CC) and a reserved one (C8). */
const notFrames: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/**
 * The segments behind the start marker, as far as they are complete and well formed (ITU-T T.81, annex B). Takes time
 * linear in the number of bytes.
 */
export function* jpegSegments(file: Buffer): Generator<JpegSegment> {
  let count = 0;
  for (let at = 2; at + 1 < file.length && count < maxSegments;) {
    if (file[at] !== 0xff) return;
    const marker = file[at + 1] ?? 0;
    at += 1;
    // Any number of fill bytes may precede a marker.
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
    const scanEnd = marker === startOfScan ? endOfScan(file, next) : next;
    count += 1;
    yield { kind: isFrame(marker) ? "frame" : "other", content: file.subarray(at + 2, next), scanned: scanEnd - next };
    at = scanEnd;
  }
}

/** Markers without a length, none of which belongs between segments: restarts, and a second start. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker);
}

/** Where the next marker is behind a scan; a stuffed zero and restart markers belong to the scan. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const next = file[at + 1] ?? 0;
    const isPartOfScan = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isPartOfScan) return at;
  }
  return file.length;
}
