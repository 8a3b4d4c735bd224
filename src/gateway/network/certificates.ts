import { X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { Worker } from "node:worker_threads";
import { GatewayError } from "../errors.ts";

/** Maximum size of a certificate file, in bytes: four times Node's bundled list of public authorities (Node 24). */
const maxSize = 1_000_000;

/** Authorities to trust, and a TLS context with them, which saves parsing them for every connection. */
export interface Trust {
  readonly ca: string[];
  readonly secureContext: SecureContext;
}

/**
 * Trusts, in addition to Node's bundled certificates, those of a PEM file, if its path is not empty, and of the system's store;
 * `undefined` if Node's default suffices. Throws `GatewayError` of kind `certificateFile` if the file is unusable.
 */
export async function readTrust(certificateFile: string, isSystem: boolean): Promise<Trust | undefined> {
  if (certificateFile === "" && !isSystem) return undefined;
  const extra = certificateFile === "" ? [] : [await readCertificates(certificateFile)];
  const system = isSystem ? await systemCertificates() : [];
  const ca = [...getCACertificates("default"), ...system, ...extra];
  return { ca, secureContext: createSecureContext({ ca }) };
}

async function readCertificates(file: string): Promise<string> {
  const text = await readText(file).catch((cause: unknown) => {
    throw new GatewayError("certificateFile", "The file cannot be read.", { cause });
  });
  try {
    // `createSecureContext` accepts any text as `ca` and ignores anything that is not a certificate (Node 24).
    new X509Certificate(text);
    return text;
  } catch (cause) {
    throw new GatewayError("certificateFile", "The file holds no certificate in PEM form.", { cause });
  }
}

/** Reads a regular file within the size limit. Opening a device or a pipe could block forever. */
async function readText(file: string): Promise<string> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error("The path names no regular file.");
  if (found.size > maxSize) throw new Error(`The file is larger than ${maxSize} bytes.`);
  return await readFile(file, "utf8");
}

/**
 * Reads the system's store in a worker: it blocks for seconds on some Macs (nodejs/node#63313, microsoft/vscode#333830). A
 * store that the worker cannot read counts as empty, even if the worker ends without a message.
 */
function systemCertificates(): Promise<readonly string[]> {
  const script = `require("node:worker_threads").parentPort.postMessage(require("node:tls").getCACertificates("system"))`;
  const worker = new Worker(script, { eval: true, execArgv: [] });
  return new Promise((resolve) => {
    worker.once("message", resolve);
    worker.on("error", () => undefined);
    worker.once("exit", () => {
      resolve([]);
    });
  });
}
