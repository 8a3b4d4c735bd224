import { createHash } from "node:crypto";
import type { BundledPackage, BundledPart } from "./bundledPackages.ts";

/** The product that the list describes. */
export interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly publisher: string;
}

/**
 * A CycloneDX 1.6 list of the bundled packages (https://cyclonedx.org/docs/1.6/json/). It has no timestamp, and its
 * serial number is derived from its content, so that the same commit gives the same bytes.
 */
export function billOfMaterials(product: Product, packages: readonly BundledPackage[]): string {
  const { name, version, license, publisher } = product;
  const ref = `${publisher}.${name}@${version}`;
  const components = packages.map(component);
  const serial = uuidOf(JSON.stringify([ref, components]));
  const list = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": ref,
        publisher,
        name,
        version,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
    dependencies: [
      { ref, dependsOn: packages.map(({ purl }) => purl) },
      ...packages.map(({ purl, parts }) => ({ ref: purl, dependsOn: parts.map((part) => part.purl) })),
      ...packages.flatMap(({ parts }) => parts.map((part) => ({ ref: part.purl }))),
    ],
  };
  return `${JSON.stringify(list, undefined, 2)}\n`;
}

function component({ texts, hash, parts, ...one }: BundledPackage): object {
  return {
    ...library({ ...one, text: texts.join("\n\n") }),
    hashes: [{ alg: "SHA-512", content: hash }],
    ...(parts.length > 0 && { components: parts.map(library) }),
  };
}

function library({ name, version, license, purl, text }: BundledPart): object {
  const terms = { id: license, text: { contentType: "text/plain", content: text } };
  return { type: "library", "bom-ref": purl, name, version, licenses: [{ license: terms }], purl };
}

/** A UUID of version 8 (RFC 9562, 5.8), which may be derived from a hash. */
function uuidOf(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  const variant = ((parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join("-");
}
