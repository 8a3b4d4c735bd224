import { type Comment, CommentMode, MarkdownString } from "vscode";
import type { EntryName } from "../gateway/types.ts";
import { answerMarkdown, withClosingLine } from "./answerMarkdown.ts";
import type { AnswerEdit } from "./editBlock.ts";

/** How far an answer is. `done` and those after it are whole. */
export type AnswerProgress =
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
  #progress: AnswerProgress = "asking";
  #text = "";
  #code: readonly string[] = [];
  #wasUnique = false;
  #edit: AnswerEdit = noEdit;
  #entry: EntryName | undefined;
  #problem = "";

  constructor(question: Question) {
    this.question = question;
  }

  /** Not `state`: that is a property of the API proposal `commentsDraftState`, and VS Code rejects a comment that has it. */
  get progress(): AnswerProgress {
    return this.#progress;
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
    return this.#progress === "asking" || this.#progress === "thinking" || this.#progress === "answering";
  }

  /** The lines to put in place of the code. */
  get replacement(): readonly string[] | undefined {
    return this.#progress === "done" && this.#edit.type === "replacement" ? this.#edit.lines : undefined;
  }

  /** The lines to copy, or to insert below the code. */
  get insertable(): readonly string[] | undefined {
    if (this.#progress !== "done" && this.#progress !== "applied" && this.#progress !== "kept") return undefined;
    if (this.#edit.type === "replacement") return this.#edit.lines;
    return this.#edit.type === "none" ? this.#edit.code : undefined;
  }

  /** Starts, or starts over, with an empty answer about the code as it is now. */
  begin(code: readonly string[], wasUnique: boolean): void {
    this.#progress = "asking";
    this.#text = "";
    this.#code = code;
    this.#wasUnique = wasUnique;
    this.#edit = noEdit;
    this.#entry = undefined;
    this.#problem = "";
  }

  /** What the user waits for until the first text. Afterwards, this changes nothing and returns `false`. */
  wait(progress: "asking" | "thinking"): boolean {
    if (this.#progress !== "asking" && this.#progress !== "thinking") return false;
    this.#progress = progress;
    return true;
  }

  /** The model has written more. */
  append(text: string): void {
    this.#text += text;
    this.#progress = "answering";
  }

  /** The answer was stopped before its end. */
  stop(): void {
    this.#progress = "stopped";
  }

  /** The answer is not whole, or failed before it began. */
  breakOff(problem: string, entry?: EntryName): void {
    this.#progress = this.#text === "" ? "failed" : "cutOff";
    this.#problem = problem;
    this.#entry = entry;
  }

  /** The answer is whole. */
  finish(edit: AnswerEdit, entry: EntryName | undefined): void {
    this.#progress = "done";
    this.#edit = edit;
    this.#entry = entry;
  }

  /** The change is in the document. */
  markApplied(): void {
    this.#progress = "applied";
  }

  /** The change stays in the document. */
  markKept(): void {
    this.#progress = "kept";
  }

  /** The change is out of the document again, and can be applied again. */
  markUndone(): void {
    this.#progress = "done";
  }
}
