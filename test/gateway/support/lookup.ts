import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIP, type LookupFunction } from "node:net";

/** What a resolver knows of a name: its addresses, the code of an error, or nothing, so that it never answers. */
type Answer = readonly string[] | "ENOTFOUND" | "EAI_AGAIN" | undefined;

/** A look-up with these answers. */
export function lookupIn(answerFor: (name: string) => Answer): LookupFunction {
  return (name, { all }, callback) => {
    const answer = isIP(name) === 0 ? answerFor(name) : [name];
    if (typeof answer === "string") {
      callback(Object.assign(new Error(answer), { code: answer, syscall: "getaddrinfo" }), "");
      return;
    }
    const found = answer?.map((address) => ({ address, family: isIP(address) }));
    if (all && found) callback(null, found);
    else if (found?.[0]) callback(null, found[0].address, found[0].family);
  };
}

/** Hooks that replace this machine's resolver for a block of tests. Names without an answer of their own are on this machine. */
export function withResolver(answerFor: (name: string) => Answer): void {
  const { lookup: byCallback } = dns;
  const { lookup: byPromise } = dns.promises;
  beforeEach(() => {
    const lookup = lookupIn(answerFor);
    const promised = (name: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        lookup(name, { all: true }, (error, addresses) => {
          if (error) reject(error);
          else resolve(addresses);
        });
      });
    Object.assign(dns, { lookup });
    Object.assign(dns.promises, { lookup: promised });
    syncBuiltinESMExports();
  });
  afterEach(() => {
    Object.assign(dns, { lookup: byCallback });
    Object.assign(dns.promises, { lookup: byPromise });
    syncBuiltinESMExports();
  });
}
