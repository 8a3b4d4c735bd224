import assert from "node:assert/strict";
import { CancellationTokenSource, LanguageModelTextPart, type LanguageModelTool, Uri, window } from "vscode";
import type { ImageRequest } from "../../src/gateway/types.ts";
import type { ImageInput } from "../../src/images/images.ts";
import { imageTool, orderLimit, toolResult } from "../../src/images/chatImages.ts";
import { allPlainSettings as settings } from "../support/plainSettings.ts";
import { testFolder } from "../support/testFolder.ts";
import { imagesIn } from "../support/imagesIn.ts";

describe("the image tool for agents", () => {
  const own = testFolder();
  const { token } = new CancellationTokenSource();
  const { showOpenDialog } = window;

  before(() => {
    window.showOpenDialog = () => Promise.resolve([Uri.file("/images")]);
  });
  after(() => {
    window.showOpenDialog = showOpenDialog;
  });

  const toolFor = (requests: ImageRequest[], limit?: ReturnType<typeof orderLimit>): LanguageModelTool<ImageInput> =>
    imageTool(
      {
        gateway: {
          generateImage: (request) => {
            requests.push(request);
            return Promise.reject(new Error("No image today."));
          },
          downloadImage: () => Promise.reject(new Error("Nothing is to be downloaded.")),
        },
        images: imagesIn(own()),
        notifier: {
          run: () => Promise.resolve(undefined),
          inform: () => Promise.resolve(),
          report: () => undefined,
        },
        settings: (folder) => ({ ...settings, imageSize: folder === undefined ? "1536x1024" : "1024x1536" }),
      },
      limit,
    );
  const questionOf = async (tool: LanguageModelTool<ImageInput>, input: unknown): Promise<string> => {
    const options = Object.assign({ input: { prompt: "" } }, { input });
    const prepared = await tool.prepareInvocation?.(options, token);
    const message = prepared?.confirmationMessages?.message;
    return typeof message === "object" ? message.value : "";
  };

  it("orders the size that the user has confirmed, whatever the folder's own size is", async () => {
    const requests: ImageRequest[] = [];
    const tool = toolFor(requests);
    const input = { prompt: "a fox" };
    assert.match(await questionOf(tool, input), /Size: 1536x1024\./);
    await assert.rejects(async () => await tool.invoke({ input, toolInvocationToken: undefined }, token));
    assert.deepEqual(requests, [{ prompt: "a fox", size: "1536x1024", feature: "image" }]);
  });

  it("rejects invalid input with a reason for the model, before it asks and before it orders", async () => {
    const requests: ImageRequest[] = [];
    const tool = toolFor(requests);
    const input = { prompt: "a fox", size: "1024x1024\n\nFree" };
    await assert.rejects(() => questionOf(tool, input), /"size" must be width and height/);
    await assert.rejects(async () => await tool.invoke({ input, toolInvocationToken: undefined }, token), /"size"/);
    assert.deepEqual(requests, []);
  });

  it("shows a prompt as plain text, and how many more characters it has", async () => {
    const long = await questionOf(toolFor([]), { prompt: `${"a".repeat(200)}${"b".repeat(3_200)}` });
    assert.ok(long.endsWith(`“${"a".repeat(200)}” … and 3,200 more characters`), long);
    assert.ok((await questionOf(toolFor([]), { prompt: "a".repeat(200) })).endsWith(`“${"a".repeat(200)}”`));
    const prompt = "a fox”\n\n# This image is **free**. [x](command:y) <b>&amp;</b> $(check) “";
    const question = await questionOf(toolFor([]), { prompt });
    const [, shown = ""] = question.split("\n\n“");
    assert.equal(shown.split("”").length, 2);
    assert.doesNotMatch(shown, /\n|(?<!\\)[#*[\](<>&$`]/);
  });

  it("asks the user after many images, and then orders none without their consent", async () => {
    const requests: ImageRequest[] = [];
    let questions = 0;
    const tool = toolFor(
      requests,
      orderLimit(Date.now, () => Promise.resolve((questions += 1) === 0)),
    );
    const options = { input: { prompt: "a fox" }, toolInvocationToken: undefined };
    for (let count = 0; count < 12; count += 1) {
      const message = count < 10 ? /No image today/ : /wants no more images.*Do not try again/;
      await assert.rejects(async () => await tool.invoke(options, token), message);
    }
    assert.deepEqual([requests.length, questions], [10, 2]);
  });

  it("tells the model that nothing was made, and not to try again, when no folder is chosen", () => {
    const [part] = toolResult(undefined).content;
    assert.ok(part instanceof LanguageModelTextPart);
    assert.match(part.value, /^No folder was selected, so no image was generated\. Do not try again/);
  });
});
