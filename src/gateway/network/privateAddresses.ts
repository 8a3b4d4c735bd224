import { lookup } from "node:dns";
import { lookup as resolve } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { isLoopback } from "../baseUrl.ts";
import { type AddressScope, scopeOf } from "./addressScope.ts";

/** Thrown by the lookup of `lookupWithin`, and found in the cause of the transport's error. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

/**
 * Where a link from a gateway may lead: into the open, and where the configured entries themselves are. An entry is on
 * this machine by its literal name only, and inside a network when all its addresses are: its own DNS must not be able
 * to open this machine, or a network that it is not in.
 */
export async function allowedScopes(entries: readonly URL[]): Promise<ReadonlySet<AddressScope>> {
  const scopes = await Promise.all(entries.map(scopeOfEntry));
  return new Set<AddressScope>(["public", ...scopes.filter((scope) => scope !== "forbidden")]);
}

async function scopeOfEntry({ hostname }: URL): Promise<AddressScope> {
  if (isLoopback(hostname)) return "loopback";
  const scopes = await scopesOf(hostname);
  const [first] = scopes;
  // Whoever answers for the name may say that it is this machine.
  const isOne = first !== undefined && first !== "loopback" && scopes.every((scope) => scope === first);
  return isOne ? first : "public";
}

/** Whether a URL's host is, or has among its addresses, one outside of `allowed`. A name without an address has none. */
export async function leadsOutside({ hostname }: URL, allowed: ReadonlySet<AddressScope>): Promise<boolean> {
  return (await scopesOf(hostname)).some((scope) => !allowed.has(scope));
}

/** Whether the literal form of a URL's host is outside of `allowed`. */
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

/** The system's resolver, refusing names with an address outside of `allowed`: what is checked is what is connected to. */
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

/** The system's resolver, for which all of `localhost` is this machine: no DNS is asked about it. */
export const plainLookup: LookupFunction = (hostname, options, callback) => {
  lookup(resolvable(hostname), options, callback);
};

function resolvable(hostname: string): string {
  return isLoopback(hostname) ? "localhost" : hostname;
}
