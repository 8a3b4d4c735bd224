import assert from "node:assert/strict";
import { ChatResponseAnchorPart, ChatResponseMarkdownPart, type ChatRequestTurn, Uri } from "vscode";
import { closingLine } from "../../../src/chat/answerNotes.ts";
import {
  conversationIn,
  recordConversation,
  readHistory,
  type ReadSources,
  recordTurn,
} from "../../../src/chat/context/turnRecord.ts";
import { taskPrompts } from "../../../src/prompts/tasks.ts";
import { answered, asked } from "../../support/chatTurns.ts";

describe("the history of a chat", () => {
  it("has questions, commands, and answers in order, without the lines of the extension", () => {
    const footer = new ChatResponseMarkdownPart(closingLine("GPT-5.5", "primary", "stop"));
    const turns = [
      asked("one?"),
      answered(["1, ", "one", footer]),
      asked("", { command: "explain" }),
      answered(["It greets in ", new ChatResponseAnchorPart(Uri.parse("file:///a.ts"), "a.ts:2"), "."]),
    ];
    assert.deepEqual(readHistory(turns, "en").exchanges, [
      { question: "one?", answer: "1, one" },
      { question: taskPrompts.explain, answer: "It greets in `a.ts:2`." },
    ]);
  });

  it("leaves out questions without an answer and other participants", () => {
    const participant = "other";
    const references = [{ id: "", value: "theirs" }];
    const others = [asked("x", { participant, references }), answered(["y"], { participant, edit: "theirs" })];
    const turns = [asked("failed?"), answered([]), ...others];
    const nothing = { exchanges: [], sources: [], edits: [], refused: undefined, command: undefined };
    assert.deepEqual(readHistory(turns, "en"), nothing);
  });

  it("has the sources of the newest question first, and the edits in order, of records of this version alone", () => {
    const [one, two, open] = ["file:///one.ts", "file:///two.ts", "file:///open.ts"].map((uri) => Uri.parse(uri));
    const attached = (...values: readonly unknown[]): ChatRequestTurn["references"] =>
      values.map((value) => ({ id: "", value }));
    const turns = [
      asked("first", { references: attached(one, "a text") }),
      answered(["1"], { edit: "first", editor: { uri: "no uri" } }),
      asked("second", { references: attached({ of: "another kind" }, two) }),
      answered(["2"], { edit: 2, editor: { uri: String(open) } }),
      answered(["3"], { edit: "last", editor: { uri: String(open), range: ["x"] } }),
    ];
    const { sources, edits } = readHistory(turns, "en");
    assert.deepEqual([sources.map(String), edits], [[open, two, one, "a text"].map(String), ["first", "last"]]);
  });

  it("has the images that were pasted, and the conversation's name, also of turns that failed", () => {
    const image = { mimeType: "image/png", data: () => Promise.resolve(new Uint8Array()) };
    const references = [{ id: "image", value: image }];
    const failed = recordConversation({ errorDetails: { message: "No." } }, "name");
    const none = { editor: undefined, found: undefined };
    assert.deepEqual(failed, { errorDetails: { message: "No." }, metadata: { conversation: "name", ...none } });
    const turns = [
      asked("Why?", { references }),
      answered([], failed.metadata),
      answered([], { participant: "other" }),
    ];
    assert.deepEqual(readHistory(turns, "en").sources, [image]);
    assert.equal(conversationIn(turns), "name");
    assert.equal(conversationIn([answered(["Yes"], { conversation: 7 }), asked("How?")]), undefined);
    const edits = { edit: "edit", answer: "text" };
    const { metadata } = recordConversation(recordTurn("fix", edits), "name");
    assert.deepEqual(metadata, { command: "fix", ...edits, conversation: "name", ...none });
  });

  it("has what turns without attachments have read, also those that failed, and of what was found the last", () => {
    const [open, one, two] = ["file:///open.ts", "file:///one.ts", "file:///two.ts"].map((uri) => Uri.parse(uri));
    assert.ok(open && one && two);
    const read = (sources: ReadSources): Readonly<Record<string, unknown>> =>
      JSON.parse(JSON.stringify(recordConversation({}, "", sources).metadata)) as Readonly<Record<string, unknown>>;
    const turns = [
      asked("Where?"),
      answered(["Here"], read({ found: [one] })),
      asked("", { command: "explain" }),
      answered(["It"], read({ editor: open, found: [] })),
    ];
    assert.deepEqual(readHistory(turns, "en").sources.map(String), [open, one].map(String));
    const next = [...turns, asked("And?"), answered([], read({ found: [two] }))];
    assert.deepEqual(readHistory(next, "en").sources.map(String), [open, two].map(String));
  });

  it("has the command and the refused edit of the last answer, as long as no other question is answered", () => {
    const refused = { reasons: ["No."], files: [] };
    const failed = [asked("Count", { command: "edit" }), answered(["So"], { refused }), asked("Again"), answered([])];
    const { command, refused: known } = readHistory(failed, "en");
    assert.deepEqual([command, known], ["edit", refused]);
    const after = readHistory([...failed, asked("Thanks"), answered(["Welcome."])], "en");
    assert.deepEqual([after.command, after.refused], [undefined, undefined]);
  });
});
