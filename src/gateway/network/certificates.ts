import { X509Certificate } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { Worker } from "node:worker_threads";
import { GatewayError } from "../errors.ts";

/** The largest certificate file, in bytes. All public authorities together take a quarter of it. */
const maxSize = 1_000_000;

/** Whose certificates are trusted, besides those that Node brings. */
export interface Trust {
  /** An extra PEM file, or empty. */
  readonly certificateFile: string;
  /** The system's store. */
  readonly system: boolean;
}

/**
 * A TLS context for `trust`, or `undefined` where Node's default will do. Throws `GatewayError` of kind `certificateFile` if the file cannot be used.
 */
export async function secureContext(trust: Trust): Promise<SecureContext | undefined> {
  if (trust.certificateFile === "" && !trust.system) return undefined;
  const extra = trust.certificateFile === "" ? [] : [await readCertificates(trust.certificateFile)];
  const system = trust.system ? await systemCertificates() : [];
  return createSecureContext({ ca: [...getCACertificates("default"), ...system, ...extra] });
}

async function readCertificates(file: string): Promise<string> {
  const text = await readText(file).catch((cause: unknown) => {
    throw new GatewayError("certificateFile", "The file cannot be read.", { cause });
  });
  try {
    // A context takes any text for certificates, and trusts nothing by it.
    new X509Certificate(text);
    return text;
  } catch (cause) {
    throw new GatewayError("certificateFile", "The file holds no certificate in PEM form.", { cause });
  }
}

/** Reads a regular file within the limit. Opening a device or a pipe may already wait for ever. */
async function readText(file: string): Promise<string> {
  if (!(await stat(file)).isFile()) throw new Error("The path names no regular file.");
  await using handle = await open(file);
  const buffer = Buffer.alloc(maxSize + 1);
  let size = 0;
  while (size < buffer.length) {
    const { bytesRead } = await handle.read(buffer, size, buffer.length - size);
    if (bytesRead === 0) return buffer.toString("utf8", 0, size);
    size += bytesRead;
  }
  throw new Error(`The file is larger than ${maxSize} bytes.`);
}

/** Reading the system's store blocks, for seconds on some Macs, so a worker does it. */
function systemCertificates(): Promise<readonly string[]> {
  const script = `require("node:worker_threads").parentPort.postMessage(require("node:tls").getCACertificates("system"))`;
  const worker = new Worker(script, { eval: true, execArgv: [] });
  return new Promise((resolve) => {
    worker.once("message", resolve);
    // A store that cannot be read knows no certificate.
    worker.once("error", () => {
      resolve([]);
    });
  });
}
