import assert from "node:assert/strict";
import { promisify } from "node:util";
import { InnerAddressError, isInnerAddress, isInnerHost, outerLookup } from "../../../src/gateway/network/addresses.ts";

describe("an address", () => {
  const inner = [
    ["0.0.0.0", "this host"],
    ["10.1.2.3", "private"],
    ["100.64.0.1", "shared by a carrier"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["169.254.169.254", "link-local, where clouds keep secrets"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.1", "protocol assignments"],
    ["192.168.1.1", "private"],
    ["198.18.0.1", "benchmarks"],
    ["224.0.0.1", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["[::1]", "loopback, as a URL spells it"],
    ["fc00::1", "unique local"],
    ["fd12:3456::1", "unique local"],
    ["fe80::1", "link-local"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["::ffff:127.0.0.1", "mapped loopback"],
    ["::ffff:7f00:1", "mapped loopback in hexadecimal"],
    ["[::ffff:a9fe:a9fe]", "mapped link-local"],
    ["::ffff:192.168.0.1", "mapped private"],
    ["64:ff9b::127.0.0.1", "loopback through NAT64"],
    ["64:ff9b::a00:1", "private through NAT64"],
    ["::127.0.0.1", "compatible loopback"],
    ["64:ff9b:1::a00:1", "private through a local NAT64"],
    ["2002:7f00:1::", "loopback through 6to4"],
  ] as const;
  for (const [address, what] of inner) {
    it(`${address} is inner: ${what}`, () => {
      assert.ok(isInnerAddress(address));
    });
  }

  const outer = [
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700::1111",
    "[2606:4700::1111]",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "gateway.example",
    "10.example",
    "",
  ];
  for (const address of outer) {
    it(`${JSON.stringify(address)} is not`, () => {
      assert.ok(!isInnerAddress(address));
    });
  }

  it("is inner behind a name too", async () => {
    assert.ok(await isInnerHost(new URL("http://localhost")));
    assert.ok(await isInnerHost(new URL("http://[::1]")));
    assert.ok(!(await isInnerHost(new URL("http://8.8.8.8"))));
    assert.ok(!(await isInnerHost(new URL("http://nowhere.invalid"))));
  });

  it("is not connected to when a name leads inside", async () => {
    const lookup = promisify(outerLookup);
    await assert.rejects(lookup("localhost", {}), InnerAddressError);
    await assert.rejects(lookup("localhost", { all: true }), InnerAddressError);
    await assert.rejects(lookup("nowhere.invalid", {}), { syscall: "getaddrinfo" });
  });
});
