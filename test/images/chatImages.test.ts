import assert from "node:assert/strict";
import { CancellationTokenSource, LanguageModelTextPart, type LanguageModelTool, Uri, window } from "vscode";
import { asError } from "../../src/gateway/abort.ts";
import type { ImageRequest } from "../../src/gateway/types.ts";
import { generateForChat, imageTool, orderLimit, readImageInput, toolResult } from "../../src/images/chatImages.ts";
import type { ImageInput } from "../../src/images/images.ts";
import { each } from "../support/each.ts";
import { imagesIn } from "../support/imagesIn.ts";
import { allPlainSettings as settings } from "../support/plainSettings.ts";
import { testFolder } from "../support/testFolder.ts";

describe("the limit on images ordered by agents", () => {
  const hour = 60 * 60 * 1000;

  it("asks nothing before ten within an hour, then once for all that come together, and again after ten more", async () => {
    let [now, questions, isAllowed] = [0, 0, true];
    const ask = (): Promise<boolean> => {
      questions += 1;
      return Promise.resolve(isAllowed);
    };
    const limit = orderLimit(() => now, ask);
    const order = (count: number): Promise<boolean[]> => Promise.all(Array.from({ length: count }, () => limit()));
    await order(9);
    now = hour;
    await order(10);
    assert.equal(questions, 0);
    now = 3 * hour;
    assert.deepEqual(new Set(await order(20)), new Set([true]));
    assert.equal(questions, 1);
    isAllowed = false;
    for (let count = 2; count < 4; count += 1) assert.deepEqual([await order(1), questions], [[false], count]);
  });

  it("lets nothing pass when the user cannot be asked", async () => {
    const limit = orderLimit(Date.now, () => Promise.reject(new Error("No window.")));
    for (let count = 0; count < 10; count += 1) assert.equal(await limit(), true);
    for (let count = 0; count < 2; count += 1) await assert.rejects(limit(), /No window/);
  });
});

describe("the input of the image tool", () => {
  it("has a prompt, and a size where one is given", () => {
    const input = { prompt: " a lighthouse ", size: "1024x1536" };
    assert.deepEqual(readImageInput(input), input);
    for (const size of [undefined, null, ""])
      assert.deepEqual(readImageInput({ prompt: "a", size, extra: 1 }), { prompt: "a" });
  });

  const sizes = [1024, "large", "1x1", "1024X1024", "1024x1024\n", "1024x1024 ", "123456x1", "01024x1024", {}];
  each<[readonly unknown[]], RegExp>([
    ["is refused where it is none", [undefined, null, "a", 1], /^Error: No image was made\. .*object/],
    ["is refused without a prompt", [{}, { prompt: 1 }, { prompt: " \n" }, { prompt: ["a"] }], /made\. .*prompt/],
    ["is refused with a size that is none", sizes.map((size) => ({ prompt: "a", size })), /made\. "size"/],
  ]).hold((inputs, message) => {
    for (const input of inputs) assert.throws(() => readImageInput(input), message, JSON.stringify(input));
  });
});

describe("the image tool for agents", () => {
  const own = testFolder();
  const { token } = new CancellationTokenSource();
  let requests: ImageRequest[];

  beforeEach(() => {
    window.showOpenDialog = () => Promise.resolve([Uri.file("/images")]);
    requests = [];
  });

  const toolWith = (limit?: ReturnType<typeof orderLimit>): LanguageModelTool<ImageInput> =>
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
  const invoke = async (input: ImageInput, tool = toolWith()): Promise<void> => {
    await tool.invoke({ input, toolInvocationToken: undefined }, token);
  };
  const questionOf = async (input: ImageInput): Promise<string> => {
    const prepared = await toolWith().prepareInvocation?.({ input }, token);
    const message = prepared?.confirmationMessages?.message;
    return typeof message === "object" ? message.value : "";
  };

  it("orders the size that the user has confirmed, whatever the folder's own size is", async () => {
    const input = { prompt: "a fox" };
    assert.match(await questionOf(input), /Size: 1536x1024\./);
    await assert.rejects(invoke(input), /No image today/);
    assert.deepEqual(requests, [{ prompt: "a fox", size: "1536x1024", feature: "image" }]);
  });

  it("rejects invalid input with a reason for the model, before it asks and before it orders", async () => {
    const input = { prompt: "a fox", size: "1024x1024\n\nFree" };
    await assert.rejects(questionOf(input), /"size" must be width and height/);
    await assert.rejects(invoke(input), /"size"/);
    assert.deepEqual(requests, []);
  });

  it("shows a prompt as plain text, and how many more characters it has", async () => {
    const long = await questionOf({ prompt: `${"a".repeat(200)}${"b".repeat(3_200)}` });
    assert.ok(long.endsWith(`“${"a".repeat(200)}” … and 3,200 more characters`), long);
    assert.ok((await questionOf({ prompt: "a".repeat(200) })).endsWith(`“${"a".repeat(200)}”`));
    const prompt = "a fox”\n\n# This image is **free**. [x](command:y) <b>&amp;</b> $(check) “";
    const question = await questionOf({ prompt });
    const [, shown = ""] = question.split("\n\n“");
    assert.equal(shown.split("”").length, 2);
    assert.doesNotMatch(shown, /\n|(?<!\\)[#*[\](<>&$`]/);
  });

  it("orders nothing that the user does not want after many images, and says so to the model", async () => {
    const tool = toolWith(() => Promise.resolve(false));
    await assert.rejects(invoke({ prompt: "a fox" }, tool), /wants no more images.*Do not try again/);
    assert.deepEqual(requests, []);
  });

  it("says that an image can be recovered that is paid for when the user stops", async () => {
    const shown: string[] = [];
    Object.assign(window, { showInformationMessage: (text: string) => void shown.push(text) });
    const stopping = new AbortController();
    const images = imagesIn(own());
    const answer = { images: [{ url: "https://images.example/1.png" }], usage: undefined };
    const gateway = {
      generateImage: () => Promise.resolve(answer),
      downloadImage: () => {
        stopping.abort();
        return Promise.reject(asError(stopping.signal.reason));
      },
    };
    const notifier = { report: () => undefined };
    const services = { gateway, images, notifier, settings: () => settings };
    const needs = services as unknown as Parameters<typeof generateForChat>[0];
    await assert.rejects(generateForChat(needs, { prompt: "a fox" }, stopping.signal), { name: "AbortError" });
    assert.match(shown.join(), /^The image was charged, and is saved for recovery\./);
    assert.equal((await images.pending.available()).length, 1);
  });

  it("tells the model that nothing was made, and not to try again, when no folder is chosen", () => {
    const [part] = toolResult(undefined).content;
    assert.ok(part instanceof LanguageModelTextPart);
    assert.match(part.value, /^No folder was selected, so no image was generated\. Do not try again/);
  });
});
