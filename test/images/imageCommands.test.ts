import assert from "node:assert/strict";
import { Uri, window, workspace } from "vscode";
import type { ImageRequest } from "../../src/gateway/types.ts";
import { imageCommands } from "../../src/images/imageCommands.ts";
import type { Services } from "../../src/services.ts";
import { promptLanguage } from "../../src/manifest.ts";
import { imagesIn } from "../support/imagesIn.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { testFolder } from "../support/testFolder.ts";

describe("a prompt that is written in an editor", () => {
  const own = testFolder();
  const document = {
    uri: Uri.parse("untitled:Untitled-1"),
    languageId: promptLanguage,
    getText: (part?: unknown) => (part === undefined ? "a red fox" : "red"),
  };
  let [folders, requests]: [number, ImageRequest[]] = [0, []];
  let services: Services;

  beforeEach(() => {
    [folders, requests] = [0, []];
    Object.assign(window, {
      showOpenDialog: () => Promise.resolve([Uri.file(`/images-${String((folders += 1))}`)]),
      createInputBox: () => ({
        value: "",
        onDidChangeValue: () => undefined,
        onDidAccept: () => undefined,
        onDidHide: () => undefined,
        onDidTriggerButton: (write: () => void) => void setImmediate(write),
        show: () => undefined,
        dispose: () => undefined,
      }),
      showTextDocument: () => {
        const selection = { isEmpty: false };
        return Promise.resolve(Object.assign(window, { activeTextEditor: { document, selection } }));
      },
    });
    Object.assign(workspace, { openTextDocument: () => Promise.resolve(document) });
    const needed = {
      gateway: {
        preconnect: () => undefined,
        generateImage: (request: ImageRequest) => {
          requests.push(request);
          return Promise.reject(new Error("No image today."));
        },
      },
      images: imagesIn(own()),
      notifier: { run: (_: unknown, work: () => Promise<unknown>) => work().catch(() => undefined) },
      settings: () => ({ ...allPlainSettings, imageSize: "1024x1024" }),
    };
    services = needed as unknown as Services;
  });

  it("is ordered for the folder that was chosen before", async () => {
    await imageCommands.generateImage(services);
    await imageCommands.generateImage(services);
    assert.deepEqual([folders, requests.length], [1, 1]);
  });

  it("is ordered as a whole by the button above the editor, whatever is selected in it", async () => {
    await imageCommands.generateImage(services);
    await imageCommands.generateImage(services, document.uri);
    assert.deepEqual(requests, [{ prompt: "a red fox", size: "1024x1024", feature: "image" }]);
  });
});
