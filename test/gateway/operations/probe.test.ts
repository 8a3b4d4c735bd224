import assert from "node:assert/strict";
import type { ProbeResult, KeyGroup, TextApi } from "../../../src/gateway/types.ts";
import { type LocalGateway, startGateway } from "../../support/gateway/gateway.ts";
import { clientOn } from "../../support/localClient.ts";

/** Tests the connection to a local gateway, with its keys but for the group in `without`. */
async function results(
  local: LocalGateway,
  { without, api }: { readonly without?: KeyGroup; readonly api?: TextApi } = {},
): Promise<readonly ProbeResult[]> {
  const client = clientOn(local);
  if (without) client.keys = { ...client.keys, [without]: undefined };
  try {
    return await client.gateway.probe("gpt-5.4-mini", new AbortController().signal, api);
  } finally {
    await client.gateway.dispose();
  }
}

const causes = (found: readonly ProbeResult[]): readonly (string | undefined)[] =>
  found.map(({ failure }) => failure?.kind);

describe("the test of the connection", () => {
  it("asks every entry for one tiny completion and for no image, with documented fields only", async () => {
    await using local = await startGateway({ modes: { strict: true } });
    const found = await results(local);
    assert.deepEqual(causes(found), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(
      found.map(({ entry, group }) => `${entry} ${group}`),
      ["primary codex", "primary image", "backup codex", "backup image"],
    );
    assert.equal(local.requests.length, 4);
    assert.equal(local.requests.filter(({ operation, processed }) => operation === "image" && processed).length, 0);
  });

  it("tells the exact cause for each entry and group", async () => {
    await using local = await startGateway();
    await local.stopEntry("primary");
    local.entry("backup").always({ operation: "image", status: 403 });
    assert.deepEqual(causes(await results(local, { without: "codex" })), [
      "unreachable",
      "unreachable",
      "noKey",
      "forbidden",
    ]);
  });

  it("takes neither a web page nor an endless body for an answer, whatever the key", async () => {
    await using local = await startGateway();
    for (const [body, kind] of [
      ["<html><title>Log in</title>", "badGateway"],
      ["", "empty"],
      [`{"data":["${"x".repeat(1 << 20)}"]}`, "unreadable"],
      ['{"data":[{"url":"https://images.test/x.png"}]}', undefined],
    ] as const) {
      for (const entry of ["primary", "backup"] as const) local.entry(entry).always({ status: 200, body });
      assert.deepEqual(causes(await results(local)), Array(4).fill(kind));
    }
  });

  it("asks through the chosen API only, and by default through both where responses alone serve the model", async () => {
    await using local = await startGateway({ modes: { responsesOnly: "all" } });
    const asked = async (api?: TextApi): Promise<readonly unknown[]> => {
      await local.reset();
      const found = await results(local, api && { api });
      const [failure] = found.filter(({ entry, group }) => entry === "primary" && group === "codex");
      const operations = local.requests
        .filter(({ entry, operation }) => entry === "primary" && operation !== "image")
        .map(({ operation }) => operation);
      return [failure?.failure?.kind, ...operations];
    };
    assert.deepEqual(await asked("chatCompletions"), ["notFound", "chat"]);
    assert.deepEqual(await asked("responses"), [undefined, "responses"]);
    assert.deepEqual(await asked(), [undefined, "chat", "responses"]);
  });
});
