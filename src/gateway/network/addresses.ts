import { lookup } from "node:dns";
import { lookup as resolve } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Addresses that only mean something inside a network, and that no answer may send this machine to. */
const inner = new BlockList();
for (const [address, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  inner.addSubnet(address, bits, "ipv4");
  // The same addresses mapped into IPv6, and as NAT64 carries them.
  inner.addSubnet(`::ffff:${address}`, 96 + bits, "ipv6");
  inner.addSubnet(`64:ff9b::${address}`, 96 + bits, "ipv6");
}
for (const [address, bits] of [
  // IPv4 addresses in old disguises, and behind a NAT64 of the network's own, count as inner whatever they are.
  ["::", 96],
  ["2002::", 16],
  ["64:ff9b:1::", 48],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  inner.addSubnet(address, bits, "ipv6");
}

/** Thrown by `outerLookup`, and found in the cause of the transport's error. */
export class InnerAddressError extends Error {
  override readonly name = "InnerAddressError";
}

/** Whether a literal address is of this machine or a private network. */
export function isInnerAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "");
  const family = isIP(bare);
  return family !== 0 && inner.check(bare, family === 6 ? "ipv6" : "ipv4");
}

/** Whether a URL's host is, or resolves to, an inner address. A name that cannot be resolved is none. */
export async function isInnerHost({ hostname }: URL): Promise<boolean> {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return isInnerAddress(hostname);
  const addresses = await resolve(hostname, { all: true }).catch(() => []);
  return addresses.some(({ address }) => isInnerAddress(address));
}

/** The system's resolver, refusing names with an inner address: what is checked is what is connected to. */
export const outerLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, []);
      return;
    }
    const forbidden = addresses.find(({ address }) => isInnerAddress(address));
    const [first] = addresses;
    if (forbidden) callback(new InnerAddressError(`${hostname} is ${forbidden.address}`), []);
    else if (options.all || first === undefined) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
