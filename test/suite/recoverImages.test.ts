import assert from "node:assert/strict";
import { Uri } from "vscode";
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
  let services: GenerateNeeds;

  beforeEach(() => {
    asked = [];
    failed = [];
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

  it("are all tried when they are recovered, each failing by itself", async () => {
    await services.images.pending.keep(order, answer);
    assert.equal(await downloadAllPending(services), 5);
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

  function downloadImage(url: string): Promise<ImageFile> {
    asked.push(url);
    return Promise.reject(new GatewayError("unreachable", ""));
  }
});
