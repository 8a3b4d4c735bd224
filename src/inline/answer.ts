import { type Comment, CommentMode, MarkdownString } from "vscode";
import type { EntryName } from "../gateway/types.ts";
import { answerMarkdown, withClosingLine } from "./answerMarkdown.ts";
import type { AnswerEdit } from "./editBlock.ts";

/** How far an answer is. `done` and those after it are whole. */
export type AnswerState =
  "asking" | "thinking" | "answering" | "stopped" | "failed" | "cutOff" | "done" | "applied" | "kept";

/** What can be done with an answer: the commands that are about one. */
export type AnswerCommand = "apply" | "showDiff" | "insertBelow" | "copy" | "askAgain" | "keep" | "undo";

/** A question: what its thread shows, and what the model is told. */
export interface Question {
  readonly shown: string;
  readonly prompt: string;
}

const noEdit: AnswerEdit = { type: "none", code: undefined };

/** An answer as it stands in its thread, with all that its actions need. */
export class Answer implements Comment {
  readonly mode = CommentMode.Preview;
  readonly author = { name: "Codex" };
  readonly id = crypto.randomUUID();
  readonly question: Question;
  #state: AnswerState = "asking";
  #text = "";
  #code: readonly string[] = [];
  #wasUnique = false;
  #edit: AnswerEdit = noEdit;
  #entry: EntryName | undefined;
  #problem = "";

  constructor(question: Question) {
    this.question = question;
  }

  get state(): AnswerState {
    return this.#state;
  }

  /** What the model has written so far. */
  get text(): string {
    return this.#text;
  }

  /** The lines that the question is about, as the model read them. */
  get code(): readonly string[] {
    return this.#code;
  }

  /** Whether the document had no other such lines when they were read. */
  get wasUnique(): boolean {
    return this.#wasUnique;
  }

  get edit(): AnswerEdit {
    return this.#edit;
  }

  /** The entry that answered. Known once the answer has ended by itself. */
  get entry(): EntryName | undefined {
    return this.#entry;
  }

  /** Why the answer is not whole, or not there. */
  get problem(): string {
    return this.#problem;
  }

  /** What is shown. VS Code reads it 100 ms after it was told of a change, and so gets what came until then. */
  get body(): MarkdownString | string {
    if (this.#problem === "") return new MarkdownString(answerMarkdown(this.#text));
    return this.#text === "" ? this.#problem : new MarkdownString(withClosingLine(this.#text, this.#problem));
  }

  /** For the menus of package.json: what the answer is and has. */
  get contextValue(): string {
    if (this.isRunning) return "running";
    return ["answer", ...(this.replacement ? ["edit"] : []), ...(this.insertable ? ["code"] : [])].join(" ");
  }

  get isRunning(): boolean {
    return this.#state === "asking" || this.#state === "thinking" || this.#state === "answering";
  }

  /** The lines to put in place of the code. */
  get replacement(): readonly string[] | undefined {
    return this.#state === "done" && this.#edit.type === "replacement" ? this.#edit.lines : undefined;
  }

  /** The lines to copy, or to insert below the code. */
  get insertable(): readonly string[] | undefined {
    if (this.#state !== "done" && this.#state !== "applied" && this.#state !== "kept") return undefined;
    if (this.#edit.type === "replacement") return this.#edit.lines;
    return this.#edit.type === "none" ? this.#edit.code : undefined;
  }

  /** Starts, or starts over, with an empty answer about the code as it is now. */
  begin(code: readonly string[], wasUnique: boolean): void {
    this.#state = "asking";
    this.#text = "";
    this.#code = code;
    this.#wasUnique = wasUnique;
    this.#edit = noEdit;
    this.#entry = undefined;
    this.#problem = "";
  }

  /** What the user waits for until the first text. Afterwards, this changes nothing and returns `false`. */
  wait(state: "asking" | "thinking"): boolean {
    if (this.#state !== "asking" && this.#state !== "thinking") return false;
    this.#state = state;
    return true;
  }

  /** The model has written more. */
  append(text: string): void {
    this.#text += text;
    this.#state = "answering";
  }

  /** The answer was stopped before its end. */
  stop(): void {
    this.#state = "stopped";
  }

  /** The answer is not whole, or failed before it began. */
  breakOff(problem: string, entry?: EntryName): void {
    this.#state = this.#text === "" ? "failed" : "cutOff";
    this.#problem = problem;
    this.#entry = entry;
  }

  /** The answer is whole. */
  finish(edit: AnswerEdit, entry: EntryName | undefined): void {
    this.#state = "done";
    this.#edit = edit;
    this.#entry = entry;
  }

  /** The change is in the document. */
  markApplied(): void {
    this.#state = "applied";
  }

  /** The change stays in the document. */
  markKept(): void {
    this.#state = "kept";
  }

  /** The change is out of the document again, and can be applied again. */
  markUndone(): void {
    this.#state = "done";
  }
}
