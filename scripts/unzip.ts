import { inflateRawSync } from "node:zlib";

/** The files in a zip archive by name, from its central directory (APPNOTE 4.3.12 and 4.3.16). */
export function unzip(zip: Buffer): ReadonlyMap<string, Buffer> {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0) throw new Error("This is no zip archive.");
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const nameLength = zip.readUInt16LE(at + 28);
    files.set(zip.toString("utf8", at + 46, at + 46 + nameLength), contentAt(zip, at));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

/** The content of the file whose entry in the central directory is at an offset: stored or deflated (4.3.7, 4.4.5). */
function contentAt(zip: Buffer, entry: number): Buffer {
  const header = zip.readUInt32LE(entry + 42);
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const content = zip.subarray(start, start + zip.readUInt32LE(entry + 20));
  return zip.readUInt16LE(entry + 10) === 0 ? content : inflateRawSync(content);
}
