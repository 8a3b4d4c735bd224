import assert from "node:assert/strict";
import { promisify } from "node:util";
import {
  type AddressScope,
  allowedScopes,
  ForbiddenAddressError,
  isOutside,
  lookupWithin,
  plainLookup,
  scopeOf,
} from "../../../src/gateway/network/privateAddresses.ts";
import { each } from "../../support/each.ts";

/** Addresses by scope. */
const addresses: Readonly<Record<AddressScope, string>> = {
  // In full, mapped, translated, through NAT64.
  loopback: `127.0.0.1 127.255.255.254 ::1 [::1] 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:0:127.0.0.1
    64:ff9b::127.0.0.1`,
  // Private, a carrier's, unique local, site-local; mapped, through NAT64.
  private: `10.1.2.3 100.64.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd12:3456::1 fec0::1 ::ffff:192.168.0.1
    64:ff9b::a00:1`,
  // Benchmarking, or synthetic addresses of local proxies.
  benchmark: "198.18.0.1 198.19.255.255",
  // This network, link-local (where clouds keep secrets), metadata of Azure, Alibaba, Oracle, AWS and Google, protocol
  // assignments, documentation, 6to4, multicast, reserved, broadcast, Teredo, segment routing, unassigned; the same
  // mapped, compatible, and through NAT64; ISATAP.
  forbidden: `0.0.0.0 0.1.2.3 169.254.169.254 168.63.129.16 100.100.100.200 192.0.0.192 fd00:ec2::254 fd20:ce::254
    192.0.0.1 192.0.2.1 192.88.99.1 198.51.100.1 203.0.113.255 224.0.0.1 240.0.0.1 255.255.255.255 :: fe80::1
    fe80::1%eth0 fe80::1%lo ff02::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:db8::1 3fff::1
    3fff:fff:ffff::1 5f00::1 4000::1 [::ffff:a9fe:a9fe] ::ffff:168.63.129.16 64:ff9b::169.254.169.254 ::127.0.0.1
    ::8.8.8.8 64:ff9b:1::a00:1 2002:7f00:1:: 2002:808:808::1 2606:4700::5efe:10.0.0.1
    2606:4700::200:5efe:10.0.0.1 2606:4700:1:2:0:5efe:a9fe:a9fe 2606:4700:1:2:0:5efe:0:0`,
  public: `8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.0.3.1
    192.167.255.255 198.17.255.255 198.20.0.0 203.0.112.1 223.255.255.255 168.63.129.15 2606:4700::1111
    [2606:4700::1111] 2001:4860::8888 2a00::1 3ffe::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2606:4700:0:0:5efe::1`,
};
const scopes = ["loopback", "private", "benchmark", "forbidden", "public"] as const;

const open: ReadonlySet<AddressScope> = new Set(["public"]);
const url = (host: string): URL => new URL(`http://${host}/`);

describe("an address", () => {
  for (const scope of scopes) {
    for (const address of addresses[scope].split(/\s+/)) {
      it(`${address} is ${scope}`, () => {
        assert.equal(scopeOf(address), scope);
      });
    }
  }

  it("is not a host name", () => {
    for (const name of ["gateway.example", "10.example", "1.2.3", ""]) assert.equal(scopeOf(name), undefined);
  });

  it("is recognized in the forms that URLs accept", () => {
    for (const host of ["0x7f000001", "127.1", "LOCALHOST", "images.localhost", "012.0.0.1", "169.254.43518", "0"])
      assert.ok(isOutside(url(host), open), host);
    for (const host of ["images.example", "8.8.8.8"]) assert.ok(!isOutside(url(host), open), host);
    assert.ok(!isOutside(url("127.1"), new Set(["loopback"])));
  });
});

describe("where a gateway's links may lead", () => {
  each<[entries: readonly string[]], readonly AddressScope[]>([
    ["only into the open for a name without an address", ["nowhere.invalid"], []],
    ["to this machine for localhost", ["localhost"], ["loopback"]],
    ["to this machine for a subdomain of localhost", ["gateway.localhost."], ["loopback"]],
    ["to this machine for [::1]", ["[::1]"], ["loopback"]],
    ["not to this machine as a mapped address", ["[::ffff:127.0.0.1]"], []],
    ["into the network of a private address", ["192.168.1.5"], ["private"]],
    ["never to link-local addresses", ["169.254.169.254", "[fe80::1]"], []],
    ["wherever one of the entries is", ["localhost", "10.0.0.1"], ["loopback", "private"]],
  ]).hold(async (entries, allowed) => {
    assert.deepEqual(await allowedScopes(entries.map(url)), new Set(["public", ...allowed]));
  });

  it("is checked as a name is connected to", async () => {
    const lookup = promisify(lookupWithin(open));
    await assert.rejects(lookup("localhost", {}), ForbiddenAddressError);
    await assert.rejects(lookup("localhost", { all: true }), ForbiddenAddressError);
    await assert.rejects(lookup("nowhere.invalid", {}), { syscall: "getaddrinfo" });
    await promisify(lookupWithin(new Set(["loopback"])))("localhost", {});
  });

  it("resolves all of localhost without asking a DNS", async () => {
    const found: unknown = await promisify(plainLookup)("deep.images.localhost.", { family: 4 });
    assert.equal(found, "127.0.0.1");
  });
});
