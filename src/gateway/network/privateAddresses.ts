import { lookup } from "node:dns";
import { lookup as resolve } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { isLoopback } from "../baseUrl.ts";

/** Thrown by the lookup of `lookupWithin`; ends up as a cause of the transport's error. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

/**
 * The scopes that image links may lead to: public addresses, and those of the configured entries. An entry counts as
 * loopback only by its literal name, and as private only if all its addresses are, so that its DNS cannot open up this
 * machine or another network.
 */
export async function allowedScopes(entries: readonly URL[]): Promise<ReadonlySet<AddressScope>> {
  const scopes = await Promise.all(entries.map(scopeOfEntry));
  return new Set<AddressScope>(["public", ...scopes.filter((scope) => scope !== "forbidden")]);
}

async function scopeOfEntry({ hostname }: URL): Promise<AddressScope> {
  if (isLoopback(hostname)) return "loopback";
  const addresses = await resolve(withoutBrackets(hostname), { all: true }).catch(() => []);
  const scopes = new Set(addresses.map(({ address }) => scopeOf(address) ?? "forbidden"));
  const [scope = "public"] = scopes;
  // A DNS server must not open up this machine.
  return scopes.size === 1 && scope !== "loopback" ? scope : "public";
}

/** Whether a URL's literal host is outside `allowed`. */
export function isOutside({ hostname }: URL, allowed: ReadonlySet<AddressScope>): boolean {
  const scope = isLoopback(hostname) ? "loopback" : scopeOf(hostname);
  return scope !== undefined && !allowed.has(scope);
}

/** The system's resolver, but fails for addresses outside `allowed`. Connections use the addresses that were checked. */
export function lookupWithin(allowed: ReadonlySet<AddressScope>): LookupFunction {
  return (hostname, options, callback) => {
    lookup(resolvable(hostname), { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, []);
        return;
      }
      const forbidden = addresses.find(({ address }) => !allowed.has(scopeOf(address) ?? "forbidden"));
      const [first] = addresses;
      if (forbidden) callback(new ForbiddenAddressError(`${hostname} is ${forbidden.address}`), []);
      else if (options.all || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Checks a host that a proxy will resolve with the lookup of an exchange, if it has one. Rejects with its error. */
export async function assertAllowed({ hostname }: URL, lookup: LookupFunction | undefined): Promise<void> {
  if (lookup === undefined) return;
  await new Promise<void>((done, fail) => {
    lookup(withoutBrackets(hostname), { all: true }, (error) => {
      if (error) fail(error);
      else done();
    });
  });
}

/** The system's resolver, but `localhost` and its subdomains always mean this machine, without DNS (RFC 6761, 6.3). */
export const plainLookup: LookupFunction = (hostname, options, callback) => {
  lookup(resolvable(hostname), options, callback);
};

function resolvable(hostname: string): string {
  return isLoopback(hostname) ? "localhost" : hostname;
}

/**
 * The scope of an address. `benchmark` (198.18.0.0/15) is used by local proxies for synthetic addresses. `forbidden`
 * covers ranges without public hosts, and cloud metadata services.
 */
export type AddressScope = "public" | "loopback" | "private" | "benchmark" | "forbidden";

/** Ranges by scope, from IANA's special-purpose address registries (RFC 6890) and documentation of cloud providers. */
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

/** Prefixes of IPv6 addresses that lead to the IPv4 address in their last 32 bits: mapped, translated, NAT64. */
const leadToIPv4 = ["::ffff:", "::ffff:0:", "64:ff9b::"];

/**
 * The form of an ISATAP address, whose tunnels lead to an IPv4 address, possibly a private one; it is not used for public
 * hosts. 6to4, Teredo, local NAT64 prefixes and IPv4-compatible addresses are in no public range.
 */
const isatap = /:(?:0|200)?:5efe:(?:[\da-f]+:[\da-f]+|:)$/;

const lists = ranges.map(([scope, subnets]) => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits] = subnet.split("/");
    if (isIP(address) === 6) list.addSubnet(address, Number(bits), "ipv6");
    else {
      list.addSubnet(address, Number(bits));
      for (const prefix of leadToIPv4) list.addSubnet(prefix + address, 96 + Number(bits), "ipv6");
    }
  }
  return [scope, list] as const;
});

/** The scope of an IP address, with or without a URL's brackets; `undefined` for a host name. */
export function scopeOf(host: string): AddressScope | undefined {
  // The zone in `fe80::1%eth0` names a network interface.
  const address = withoutBrackets(host).replace(/%.*$/, "");
  if (isIP(address) === 0) return undefined;
  const isIPv6 = isIP(address) === 6;
  // URLs have one form of each IPv6 address (WHATWG URL Standard).
  if (isIPv6 && isatap.test(new URL(`http://[${address}]`).hostname.slice(1, -1))) return "forbidden";
  // What is in no range, such as IPv6 that is not given out, has no public hosts.
  return lists.find(([, list]) => list.check(address, isIPv6 ? "ipv6" : "ipv4"))?.[0] ?? "forbidden";
}

/** The host of a URL without the brackets around an IPv6 address. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}
