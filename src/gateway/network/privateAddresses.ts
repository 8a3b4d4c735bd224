import { lookup } from "node:dns";
import { lookup as resolve } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { isLoopback } from "../baseUrl.ts";
import { type AddressScope, scopeOf } from "./addressScope.ts";

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
  const scopes = await scopesOf(hostname);
  const [first] = scopes;
  // A DNS server must not be able to claim loopback.
  const isOne = first !== undefined && first !== "loopback" && scopes.every((scope) => scope === first);
  return isOne ? first : "public";
}

/** Whether a URL's literal host is outside `allowed`. */
export function isOutside({ hostname }: URL, allowed: ReadonlySet<AddressScope>): boolean {
  const scope = isLoopback(hostname) ? "loopback" : scopeOf(hostname);
  return scope !== undefined && !allowed.has(scope);
}

async function scopesOf(hostname: string): Promise<readonly AddressScope[]> {
  if (isLoopback(hostname)) return ["loopback"];
  const literal = scopeOf(hostname);
  if (literal !== undefined) return [literal];
  const addresses = await resolve(hostname, { all: true }).catch(() => []);
  return addresses.map(({ address }) => scopeOf(address) ?? "forbidden");
}

/**
 * The system's resolver, which rejects names with an address outside `allowed`. Connections use the very addresses that
 * were checked.
 */
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

/**
 * Asks a lookup about a host that somebody else will resolve, such as a proxy. Rejects with its error, so that a name that
 * cannot be judged here is not asked for.
 */
export async function judge({ hostname }: URL, lookup: LookupFunction): Promise<void> {
  await new Promise<void>((done, fail) => {
    lookup(hostname.replace(/^\[|\]$/g, ""), { all: true }, (error) => {
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
