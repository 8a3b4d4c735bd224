import assert from "node:assert/strict";
import * as vscode from "vscode";
import { stub } from "../support/vscode/stub.ts";

describe("the stub of VS Code's API in unit tests", () => {
  const made: Partial<Record<keyof typeof stub, readonly unknown[]>> = {
    ThemeColor: ["statusBarItem.warningBackground"],
    ThemeIcon: ["warning"],
    MarkdownString: ["*a* $(check)", true],
    Location: [vscode.Uri.parse("file:///a"), new vscode.Range(0, 0, 1, 0)],
    ChatResponseAnchorPart: [vscode.Uri.parse("file:///a"), "a.ts:2"],
    LanguageModelDataPart: [Buffer.from("a"), "image/png"],
    LanguageModelPromptTsxPart: [{ text: "a" }],
    LanguageModelTextPart: ["a"],
    LanguageModelThinkingPart: ["a", "id", { key: "value" }],
    LanguageModelToolCallPart: ["call", "tool", { a: 1 }],
    LanguageModelToolResultPart: ["call", []],
    LanguageModelToolResult: [[]],
  };

  /** Classes without properties of their own, or whose instances VS Code makes. */
  const others = [
    ...["CancellationError", "CancellationTokenSource", "ChatRequestTurn", "ChatResponseMarkdownPart"],
    ...["ChatResponseTurn", "EventEmitter", "Uri"],
  ];

  it("has VS Code's classes, with the same properties for the same arguments", () => {
    const classes = Object.entries(stub).flatMap(([name, value]) => (typeof value === "function" ? name : []));
    assert.deepEqual(classes.toSorted(), [...Object.keys(made), ...others].toSorted());
    for (const [name, values] of Object.entries(made)) assertAlike((api) => new (classIn(api, name))(...values));
    assertAlike((api) => Reflect.get(new api.ChatResponseMarkdownPart("*a*"), "value") as object);
    assertAlike(({ LanguageModelDataPart: part }) => part.json({ a: [1] }, "usage"));
    assertAlike(({ LanguageModelDataPart: part }) => part.image(Buffer.from("a"), "image/png"));
  });

  it("has VS Code's values of enumerations, and fills in texts as it does", () => {
    const enumerations = Object.entries(stub).filter(([, value]) => Object.values(value).some(Number.isInteger));
    assert.ok(enumerations.length >= 5);
    for (const [name, values] of enumerations)
      assertAlike((api) => (api === stub ? values : (Reflect.get(api, name) as object)));
    for (const values of [[], ["a", 2], ["{1}", "b", "c"]])
      assert.equal(stub.l10n.t("{0} and {1}, {0}", ...values), vscode.l10n.t("{0} and {1}, {0}", ...values));
  });
});

/** Makes something with the stub and with VS Code: the latter has the same properties, and may have more. */
function assertAlike(make: (api: typeof stub | typeof vscode) => object): void {
  const theirs = make(vscode);
  for (const [name, value] of Object.entries(make(stub))) {
    const other: unknown = Reflect.get(theirs, name);
    assert.deepEqual(other instanceof Uint8Array ? Buffer.from(other) : other, value, name);
  }
}

function classIn(api: object, name: string): new (...values: readonly unknown[]) => object {
  return Reflect.get(api, name) as ReturnType<typeof classIn>;
}
