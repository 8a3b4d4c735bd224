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

describe("the command for an image", () => {
  const own = testFolder();
  const services = (): Services =>
    ({ images: { ...imagesIn(own()), lastDocument: () => last } }) as unknown as Services;
  let last: unknown;
  let at: Uri;
  beforeEach(() => (at = Uri.file("/w/a.txt")));

  /** Inserts a link to `/w/a fox.png` at the end of the last line of a document, and returns the document's new text. */
  const withLink = async (languageId: string, ...lines: readonly string[]): Promise<string> => {
    let text = "";
    const length = lines.at(-1)?.length ?? 0;
    const lineAt = () => ({
      text: lines.at(-1),
      isEmptyOrWhitespace: lines.at(-1)?.trim() === "",
      range: { end: length },
    });
    const insert = (place: unknown, inserted: string): void => {
      assert.equal(typeof place === "number" ? place : length, length);
      text = lines.join("\n") + inserted;
    };
    last = { document: { uri: at, languageId, lineAt } };
    const edit = (write: (edit: unknown) => void): Promise<boolean> => {
      write({ insert });
      return Promise.resolve(true);
    };
    Object.assign(window, { showTextDocument: () => Promise.resolve({ selection: { end: {} }, edit }) });
    const given = services();
    const file = Uri.file("/w/a fox.png").toString();
    await given.images.history.add({ file, prompt: "a fox", savedAt: Date.now() });
    await imageCommands.insertImageLink(given);
    return text;
  };

  it("inserts a link into a cell of a notebook", async () => {
    at = Uri.parse("vscode-notebook-cell:/w/docs/a.ipynb#W0");
    const cell = { document: { uri: at } };
    const notebook = { uri: Uri.file("/w/docs/a.ipynb"), getCells: () => [{ ...cell, notebook }] };
    Object.assign(workspace, { notebookDocuments: [notebook] });
    assert.equal(await withLink("markdown", ""), "![a fox](../a%20fox.png)");
  });

  it("inserts a link in a window without a folder, too", async () => {
    assert.equal(await withLink("markdown", "A fox: "), "A fox: ![a fox](a%20fox.png)");
  });

  it("inserts a block below a paragraph, as far to the right", async () => {
    const image = ".. image:: a\\ fox.png";
    assert.equal(await withLink("restructuredtext", "- one", "  "), `- one\n  ${image}\n     :alt: a fox\n`);
    assert.equal(await withLink("restructuredtext", "  A fox"), `  A fox\n\n  ${image}\n     :alt: a fox\n`);
    assert.equal(await withLink("asciidoc", "A fox"), 'A fox\n\nimage::a fox.png["a fox"]');
  });

  it("says that the image is gone, as in an old answer of the chat", async () => {
    await assert.rejects(imageCommands.openImage(services(), Uri.file("/w/gone.png")), { kind: "imageGone" });
  });
});
