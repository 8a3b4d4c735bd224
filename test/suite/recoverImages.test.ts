import assert from "node:assert/strict";
import { commands, Uri } from "vscode";
import { GatewayError } from "../../src/gateway/errors.ts";
import type { ImageAnswer, ImageFile } from "../../src/gateway/types.ts";
import { downloadAllPending, generateImage, type GenerateNeeds } from "../../src/images/generateImage.ts";
import { imagesIn } from "./imagesIn.ts";

const order = { prompt: "a fox", size: undefined, folder: Uri.parse("codex-target:/images") };

describe("images whose links are kept", () => {
  const answer: ImageAnswer = {
    images: Array.from({ length: 5 }, (_, index) => ({ url: `https://images.example/${index}` })),
    usage: undefined,
    entry: "primary",
    requestId: undefined,
  };
  let asked: string[];
  let failed: unknown[];
  let running: Set<string>;
  let most: number;
  let services: GenerateNeeds;

  beforeEach(() => {
    asked = [];
    failed = [];
    running = new Set();
    most = 0;
    services = {
      gateway: { generateImage: () => Promise.resolve(answer), downloadImage },
      images: imagesIn("codex-full:/own"),
      notifier: {
        guard: async (_, work) => {
          try {
            return await work();
          } catch (error) {
            failed.push(error);
            return undefined;
          }
        },
        report: () => undefined,
      },
    };
  });

  it("are downloaded two at a time when they are recovered, and all of them where each fails", async () => {
    await services.images.pending.keep(order, answer);
    assert.equal(await downloadAllPending(services), 5);
    assert.equal(most, 2);
    assertAllFailed();
  });

  it("are all tried when one answer brought them, each failing by itself", async () => {
    await generateImage(services, order);
    assertAllFailed();
  });

  function assertAllFailed(): void {
    assert.deepEqual(asked.toSorted(), answer.images.map((source) => ("url" in source ? source.url : "")).toSorted());
    assert.equal(failed.length, 5);
    assert.equal(services.images.pending.all().length, 5);
  }

  /** Fails, but not before whatever is started at the same time has begun. */
  async function downloadImage(url: string): Promise<ImageFile> {
    asked.push(url);
    running.add(url);
    // Each notification begins with a message to the window: what was sent before these is answered before them.
    for (let messages = 0; messages < 3; messages += 1) {
      await commands.executeCommand("setContext", "codexGateway.test", messages);
      most = Math.max(most, running.size);
    }
    running.delete(url);
    throw new GatewayError("unreachable", "");
  }
});
