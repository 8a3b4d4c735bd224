import assert from "node:assert/strict";
import * as vscode from "vscode";
import { isImageReference, isSystem, thinkingMetadata, thinkingPart } from "../../src/chat/models/unpublishedApi.ts";
import { inlineControllerId } from "../../src/manifest.ts";
import { until } from "../support/until.ts";
import { open } from "./editing.ts";
import { withInlineChat } from "./withInlineChat.ts";

describe("what VS Code has besides its published types", () => {
  const local = withInlineChat("Because.");

  it("is a class for the images of a question", () => {
    const Binary = Reflect.get(vscode, "ChatReferenceBinaryData") as new (type: string, data: () => unknown) => object;
    assert.ok(isImageReference(new Binary("image/png", () => Promise.resolve(Buffer.from("a")))));
  });

  it("is a role for the system prompt, and a class for what a model thinks", () => {
    assert.ok(isSystem(Number(Reflect.get(vscode.LanguageModelChatMessageRole, "System"))));
    assert.deepEqual(thinkingMetadata(thinkingPart("a", "id", { key: "value" })), { key: "value" });
  });

  it("is a document for the reply box of a thread, with the controller's name", async () => {
    await local.ask((await open("a\nb\n")).document);
    const isBox = ({ uri: { scheme, authority } }: vscode.TextDocument): boolean =>
      scheme === "comment" && authority.toLowerCase() === inlineControllerId.toLowerCase();
    await until(() => vscode.workspace.textDocuments.some(isBox));
  });
});
