import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { hostHash, sha256 } from "./support/hash.ts";
import { killExtensionHost } from "./support/killExtensionHost.ts";
import { orderImage } from "./support/orderImage.ts";
import { withOwnSession } from "./support/session.ts";
import type { Workbench } from "./support/workbench.ts";

describe("an image whose extension host is killed between the answer and the download", () => {
  const mark = randomUUID();
  let gateway: LocalGateway;
  let workbench: Workbench;

  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  withOwnSession(
    (local) => {
      const { settings, env } = connectedTo(local);
      return { settings, env: { ...env, CODEX_GATEWAY_TEST_MARK: mark } };
    },
    (session) => ({ gateway, workbench } = session),
  );

  it("is offered by the next extension host and recovered without a second order", async () => {
    gateway.imageHost.mode({ delay: 600_000 });
    await orderImage(workbench, "a phoenix at sunrise");
    await workbench.notifications.waitFor(/^Downloading “a phoenix at sunrise”/);
    await killExtensionHost(mark);
    gateway.imageHost.mode({ delay: 0 });
    const offer = /An image was generated and paid for, but not saved/;
    await workbench.notifications.waitFor(offer);
    await workbench.screenshot("image-recovery");
    await workbench.notifications.click(offer, "Recover Images");
    await workbench.editor.waitForTab("a-phoenix-at-sunrise.png");
    const folder = join(workbench.workspace, "images");
    assert.deepEqual(await readdir(folder), ["a-phoenix-at-sunrise.png"]);
    assert.equal(sha256(await readFile(join(folder, "a-phoenix-at-sunrise.png"))), await hostHash(gateway));
    assert.equal(gateway.requests.filter(({ operation }) => operation === "image").length, 1);
  });
});
