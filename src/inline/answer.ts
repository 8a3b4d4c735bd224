import { type Comment, CommentMode, MarkdownString } from "vscode";
import type { EntryName } from "../gateway/types.ts";
import { answerMarkdown, withClosingLine } from "./answerMarkdown.ts";
import type { AnswerEdit } from "./editBlock.ts";

/** How far an answer is. `done` and those after it are whole. */
export type AnswerState =
  "asking" | "thinking" | "answering" | "stopped" | "failed" | "cutOff" | "done" | "applied" | "kept";

/** A question: what its thread shows, and what the model is told. */
export interface Question {
  readonly shown: string;
  readonly prompt: string;
}

/** An answer as it stands in its thread, with all that its actions need. */
export class Answer implements Comment {
  readonly mode = CommentMode.Preview;
  readonly author = { name: "Codex" };
  readonly id = crypto.randomUUID();
  readonly question: Question;
  state: AnswerState = "asking";
  /** What the model said. */
  text = "";
  /** The asked-about lines as the model read them. */
  code: readonly string[] = [];
  /** Whether the document had no other such lines when they were read. */
  wasUnique = false;
  edit: AnswerEdit = { type: "none", code: undefined };
  entry: EntryName | undefined;
  /** Why the answer is not whole, or not there. */
  problem = "";

  constructor(question: Question) {
    this.question = question;
  }

  /** What is shown. VS Code reads it 100 ms after it was told of a change, and so gets what came until then. */
  get body(): MarkdownString | string {
    if (this.problem === "") return new MarkdownString(answerMarkdown(this.text));
    return this.text === "" ? this.problem : new MarkdownString(withClosingLine(this.text, this.problem));
  }

  /** For the menus of package.json: what the answer is and has. */
  get contextValue(): string {
    if (this.isRunning) return "running";
    return ["answer", ...(this.replacement ? ["edit"] : []), ...(this.insertable ? ["code"] : [])].join(" ");
  }

  get isRunning(): boolean {
    return this.state === "asking" || this.state === "thinking" || this.state === "answering";
  }

  /** The lines to put in place of the code. */
  get replacement(): readonly string[] | undefined {
    return this.state === "done" && this.edit.type === "replacement" ? this.edit.lines : undefined;
  }

  /** The lines to copy, or to insert below the code. */
  get insertable(): readonly string[] | undefined {
    if (this.state !== "done" && this.state !== "applied" && this.state !== "kept") return undefined;
    if (this.edit.type === "replacement") return this.edit.lines;
    return this.edit.type === "none" ? this.edit.code : undefined;
  }

  /** Starts (again) with nothing said, about code as it is now. */
  begin(code: readonly string[], wasUnique: boolean): void {
    this.problem = "";
    this.state = "asking";
    this.text = "";
    this.code = code;
    this.wasUnique = wasUnique;
    this.edit = { type: "none", code: undefined };
    this.entry = undefined;
  }

  /** The answer is not whole, or failed before it began. */
  breakOff(problem: string): void {
    this.state = this.text === "" ? "failed" : "cutOff";
    this.problem = problem;
  }

  /** The answer is whole. */
  finish(edit: AnswerEdit): void {
    this.state = "done";
    this.edit = edit;
  }
}
