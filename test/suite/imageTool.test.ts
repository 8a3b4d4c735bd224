import assert from "node:assert/strict";
import { CancellationTokenSource, LanguageModelTextPart, workspace } from "vscode";
import type { ImageRequest } from "../../src/gateway/types.ts";
import { imageTool } from "../../src/images/imageTool.ts";
import { toolResult } from "../../src/images/toolResult.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { imagesIn } from "./imagesIn.ts";

describe("the image tool for agents", () => {
  const settings = readSettings((section) => workspace.getConfiguration(section, null));
  const { token } = new CancellationTokenSource();

  it("orders the size that the user has confirmed, whatever the folder's own size is", async () => {
    const requests: ImageRequest[] = [];
    const tool = imageTool({
      gateway: {
        generateImage: (request) => {
          requests.push(request);
          return Promise.reject(new Error("No image today."));
        },
        downloadImage: () => Promise.reject(new Error("Nothing is to be downloaded.")),
      },
      images: imagesIn("codex-storage:/own"),
      notifier: { guard: () => Promise.resolve(undefined), report: () => undefined },
      settings: (folder) => ({ ...settings, imageSize: folder === undefined ? "1536x1024" : "1024x1536" }),
    });
    const input = { prompt: "a fox" };
    const prepared = await tool.prepareInvocation?.({ input }, token);
    const message = prepared?.confirmationMessages?.message;
    assert.match(typeof message === "object" ? message.value : "", /Size: 1536x1024\./);
    await assert.rejects(async () => await tool.invoke({ input, toolInvocationToken: undefined }, token));
    assert.deepEqual(requests, [{ prompt: "a fox", size: "1536x1024" }]);
  });

  it("tells the model that nothing was made, and not to try again, when no folder is chosen", () => {
    const [part] = toolResult(undefined).content;
    assert.ok(part instanceof LanguageModelTextPart);
    assert.match(part.value, /^No folder was chosen, so no image was made\. Do not try again/);
  });
});
