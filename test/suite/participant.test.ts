import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type ChatPromptReference, commands, window } from "vscode";
import type { AnswerPart } from "../../src/gateway/types.ts";
import { textModels } from "../../src/gateway/models.ts";
import { tinyPng } from "../support/gateway/png.ts";
import { testFolder } from "../support/testFolder.ts";
import { at } from "./editing.ts";
import { TestWindow } from "./testWindow.ts";

describe("a question to @codex", () => {
  let local: TestWindow;
  before(() => {
    local = new TestWindow();
  });
  after(() => local.dispose());
  beforeEach(() => {
    local.settings = { findsContext: false };
  });
  afterEach(() => {
    local.check();
  });

  it("has the pasted image, and says if the gateway does not take images", async () => {
    const value = { mimeType: "image/png", data: () => Promise.resolve(tinyPng) };
    const start = { type: "start", entry: "primary", dropped: ["images"] } as const;
    const text = "A lighthouse.";
    local.answers = [() => [start, { type: "text", text }]];
    const { shown } = await local.ask("What is this?", { references: [{ id: "image", value }] });
    const [request] = local.received;
    assert.equal(local.connected, request?.model, "a connection opens while files are read");
    const images = [{ mimeType: "image/png", bytes: tinyPng }];
    assert.deepEqual(request?.messages, [{ role: "user", content: "What is this?", images }]);
    assert.match(shown[0] ?? "", /The gateway does not take images, so the model has not seen any/);
    assert.equal(shown[1], text);
    assert.doesNotMatch(shown.join("\n"), /No file was read/);
  });

  it("has links to the lines of files that were sent, in what the model calls them", async () => {
    local.answers = [() => "See `greet.ts:2` and `other.ts:2`."];
    const { shown } = await local.ask("Where?", { references: [{ id: "file", value: at("greet.ts") }] });
    assert.deepEqual(shown.slice(0, 3), ["See ", "greet.ts:2: greet.ts 1", " and `other.ts:2`."]);
  });

  it("says that no file was read for it", async () => {
    const { shown } = await local.ask("What is a lighthouse?");
    assert.match(shown[1] ?? "", /No file was read\./);
  });

  it("lists the files that were sent although nobody attached them", async () => {
    await window.showTextDocument(at("greet.ts"));
    const { listed } = await local.ask("Greet more kindly", { command: "edit" });
    assert.match(local.last, /^greet\.ts:$/m);
    assert.deepEqual(listed.map(String), [at("greet.ts").toString()]);
    const references = [{ id: "greet", value: at("greet.ts") }];
    const again = await local.ask("Greet more kindly", { command: "edit", references });
    assert.deepEqual(again.listed, [], "what is attached is not listed again");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("continues an /edit whose answer asked back, and an /explain that was interrupted, with their files", async () => {
    await window.showTextDocument(at("greet.ts"));
    local.answers = [() => "Which greeting?", () => "Done."];
    await local.ask("Greet more kindly", { command: "edit" });
    await local.ask("The first");
    assert.match(local.last, /exactly one patch at the end[^]*^greet\.ts:$/m);
    await local.ask("Thanks");
    assert.doesNotMatch(local.last, /exactly one patch/);
    local.answers = [
      function* (): Generator<AnswerPart> {
        yield { type: "text", text: "It greets" };
        throw new Error("It broke off.");
      },
      () => "It greets.",
    ];
    await local.ask("", { command: "explain", fails: true });
    await local.ask("Go on");
    assert.match(local.last, /^greet\.ts:$/m);
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  describe("whose edit does not fit", () => {
    const wharf = testFolder(at("").fsPath);

    beforeEach(async () => {
      for (const name of ["a.ts", "b.ts"]) await writeFile(join(wharf(), name), "one();\ntwo();\nthree();\n");
    });

    const path = (name: string): string => `${basename(wharf())}/${name}`;
    const attach = (...names: readonly string[]): readonly ChatPromptReference[] =>
      names.map((name) => ({ id: name, value: at(path(name)) }));
    const patch = (...changes: readonly string[]): string =>
      ["`````", "*** Begin Patch", ...changes, "*** End Patch", "`````"].join("\n");
    const update = (name: string, old: string): string =>
      `*** Update File: ${path(name)}\n@@\n one();\n-${old}\n+2();\n three();`;
    const misfit = (): string =>
      `The plan.\n\n${patch(update("a.ts", "two();"), update("b.ts", "zwei();"))}\nThat is all.`;

    it("is shown to its end, with the reason, its file and line, and is known to the next question", async () => {
      local.answers = [() => misfit(), () => "Still the same."];
      const first = await local.ask("Count", { command: "edit", references: attach("a.ts", "b.ts") });
      const shown = first.shown.join("");
      assert.deepEqual([local.count, first.buttons], [2, 0]);
      assert.ok(shown.includes(misfit().slice("The plan.\n\n".length)), shown);
      assert.match(shown, /none are offered:_\n\n- \S+\/b\.ts:2: The lines to change are not in the file\./);

      local.answers = [() => `Again.\n\n${patch(update("a.ts", "two();"), update("b.ts", "two();"))}`];
      const again = await local.ask("Try again");
      const messages = local.received[2]?.messages ?? [];
      assert.ok(messages.some(({ content }) => content === misfit()));
      assert.match(local.last, /exactly one patch at the end/);
      const reasons = /none of them .*:\n- \S+b\.ts: The lines .* \(line 12 of the answer\)[^]*two\(\);/;
      assert.match(messages.at(-1)?.content ?? "", reasons);
      assert.equal(local.received[2]?.conversation, local.received[0]?.conversation);
      assert.equal(again.buttons, 1);
      assert.doesNotMatch(again.shown.join(""), /Begin Patch/);
      await local.ask("Thanks");
      assert.doesNotMatch(local.received[3]?.messages.at(-1)?.content ?? "", /none of them/);
    });

    it("is not requested again if the request would be too long for the model", async () => {
      local.settings = { findsContext: false, models: textModels.map((one) => ({ ...one, maxInputTokens: 4_000 })) };
      local.answers = [() => `${misfit()}\n${"one two three\n".repeat(2_000)}`];
      const { shown } = await local.ask("Count", { command: "edit", references: attach("a.ts", "b.ts") });
      assert.equal(local.count, 1);
      assert.match(shown.join(""), /b\.ts:2: /);
    });

    it("is shown up to where the answer was interrupted", async () => {
      local.answers = [
        function* (): Generator<AnswerPart> {
          yield { type: "text", text: misfit() };
          throw new Error("It broke off.");
        },
      ];
      const asked = { command: "edit", references: attach("a.ts", "b.ts"), fails: true };
      const shown = (await local.ask("Count", asked)).shown.join("");
      assert.ok(shown.replace(/^\n\n\$\(edit\).*\n\n/m, "").startsWith(misfit()), shown);
    });

    it("tells the model nothing about files that it has not read", async () => {
      local.answers = [() => misfit()];
      await local.ask("Count", { command: "edit" });
      await local.ask("Try again");
      assert.match(local.last, /b\.ts: The answer replaces a file that the model has not read in full/);
      assert.doesNotMatch(local.last, /The lines to change are not in the file/);
    });
  });
});
