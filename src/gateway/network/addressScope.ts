import { BlockList, isIP } from "node:net";

/**
 * The scope of an address. `benchmark` (198.18.0.0/15) is used by local proxies for synthetic addresses. `forbidden`
 * covers ranges without public hosts, and cloud metadata services.
 */
export type AddressScope = "public" | "loopback" | "private" | "benchmark" | "forbidden";

/**
 * Ranges by scope, from the IANA special-purpose address registries (RFC 6890) and the documentation of cloud
 * providers.
 */
const ranges: readonly (readonly [scope: AddressScope, subnets: readonly string[]])[] = [
  [
    "forbidden",
    [
      ...["0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24"],
      ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"],
      // Metadata services outside link-local ranges: Azure's host, Alibaba, AWS, Google, Oracle, Scaleway.
      ...["168.63.129.16/32", "100.100.100.200/32"],
      ...["fd00:ec2::/32", "fd20:ce::254/128", "fd00:c1::/32", "fd00:42::42/128"],
    ],
  ],
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["private", ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"]],
  ["benchmark", ["198.18.0.0/15"]],
  // 6to4, protocol assignments (including Teredo) and documentation: parts of 2000::/3 without public hosts.
  ["forbidden", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]],
  ["public", ["0.0.0.0/0", "2000::/3"]],
];

const lists = ranges.map(([scope, subnets]) => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits] = subnet.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return [scope, list] as const;
});

/** The scope of an address without an embedded one; unallocated IPv6 is `forbidden`. */
function plainScope(address: string): AddressScope {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return lists.find(([, list]) => list.check(address, family))?.[0] ?? "forbidden";
}

/** The scope of an IP address, with or without a URL's brackets; `undefined` for a host name. */
export function scopeOf(host: string): AddressScope | undefined {
  // The zone in `fe80::1%eth0` names a network interface.
  const address = host.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (isIP(address) === 0) return undefined;
  if (isIP(address) === 4) return plainScope(address);
  const groups = groupsOf(address);
  const inner = innerAddress(groups);
  if (inner === undefined) return plainScope(address);
  if (!inner.isWhole) return [inner.address, address].map(plainScope).find((scope) => scope !== "public") ?? "public";
  return plainScope(inner.address);
}

/**
 * The IPv4 address that an IPv6 address maps to (`isWhole`: mapped, translated, NAT64) or embeds (ISATAP). 6to4,
 * Teredo, local NAT64 prefixes and IPv4-compatible addresses are forbidden anyway.
 */
function innerAddress(groups: readonly number[]): { readonly address: string; readonly isWhole: boolean } | undefined {
  const start = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":");
  const [high = 0, low = 0] = groups.slice(6);
  const address = [high >> 8, high & 255, low >> 8, low & 255].join(".");
  if (["0:0:0:0:0:ffff", "0:0:0:0:ffff:0", "64:ff9b:0:0:0:0"].includes(start)) return { address, isWhole: true };
  const isIsatap = groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200);
  return isIsatap ? { address, isWhole: false } : undefined;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // URLs serialize IPv6 in one canonical form, with embedded IPv4 in hexadecimal (WHATWG URL Standard).
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = text.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const before = head === "" ? [] : head;
  const after = tail ?? [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill("0"), ...after].map((group) => Number.parseInt(group, 16));
}
