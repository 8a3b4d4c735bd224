import { type Comment, CommentMode, MarkdownString } from "vscode";
import type { EntryName } from "../gateway/types.ts";
import { answerMarkdown, withClosingLine } from "./answerMarkdown.ts";
import type { AnswerEdit } from "./editBlock.ts";
import type { Decision } from "./hunks/trackedHunk.ts";

/** The progress of an answer. From `done` on it is complete. */
export type AnswerProgress =
  | "asking"
  | "thinking"
  | "answering"
  | "stopped"
  | "failed"
  | "cutOff"
  | "done"
  | "applied" // at least one hunk is neither kept nor undone
  | "kept"
  | "partlyKept"; // kept, except for hunks that were undone

/** The commands that act on an answer. */
export type AnswerCommand = "apply" | "showDiff" | "insertBelow" | "copy" | "askAgain";

/** The commands that act on applied hunks. */
export const changeCommands = ["keep", "undo", "keepAll", "undoAll", "nextChange", "previousChange"] as const;
export type ChangeCommand = (typeof changeCommands)[number];

/** A question: the text its thread shows, and the prompt for the model. */
export interface Question {
  readonly shown: string;
  readonly prompt: string;
}

const isComplete: ReadonlySet<AnswerProgress> = new Set(["done", "applied", "kept", "partlyKept"]);

const noEdit: AnswerEdit = { type: "none", code: undefined };

/** An answer as a comment of its thread, with the data its actions need. */
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
  #decisions: readonly Decision[] = [];
  #round = 0;

  constructor(question: Question) {
    this.question = question;
  }

  /**
   * Not named `state`: VS Code reserves that property for the proposed API `commentsDraftState` and rejects comments
   * that have it (`extHostComments.ts`, VS Code 1.139.1).
   */
  get progress(): AnswerProgress {
    return this.#progress;
  }

  /** The answer's text so far. */
  get text(): string {
    return this.#text;
  }

  /** The code in question, as the model read it. */
  get code(): readonly string[] {
    return this.#code;
  }

  /** Whether these lines occurred only once in the document when they were read. */
  get wasUnique(): boolean {
    return this.#wasUnique;
  }

  get edit(): AnswerEdit {
    return this.#edit;
  }

  /** The entry that answered; known once the answer has ended by itself. */
  get entry(): EntryName | undefined {
    return this.#entry;
  }

  /** Why the answer is truncated or missing. */
  get problem(): string {
    return this.#problem;
  }

  /** How often the question was asked. */
  get round(): number {
    return this.#round;
  }

  /** What became of each hunk of the change, in order; empty until it is applied. */
  get decisions(): readonly Decision[] {
    return this.#decisions;
  }

  /**
   * The Markdown to show. VS Code reads it 100 ms after the last change (`ExtHostCommentThread`, VS Code 1.139.1), so
   * it includes text that arrived meanwhile.
   */
  get body(): MarkdownString | string {
    if (this.#problem === "") return new MarkdownString(answerMarkdown(this.#text));
    return this.#text === "" ? this.#problem : new MarkdownString(withClosingLine(this.#text, this.#problem));
  }

  /** The `contextValue` for the menus in package.json. */
  get contextValue(): string {
    if (this.isRunning) return "running";
    return ["answer", ...(this.replacement ? ["edit"] : []), ...(this.insertable ? ["code"] : [])].join(" ");
  }

  get isRunning(): boolean {
    return this.#progress === "asking" || this.#progress === "thinking" || this.#progress === "answering";
  }

  /** The lines that replace the code. */
  get replacement(): readonly string[] | undefined {
    return this.#progress === "done" && this.#edit.type === "replacement" ? this.#edit.lines : undefined;
  }

  /** The lines to copy, or to insert below the code. */
  get insertable(): readonly string[] | undefined {
    if (!isComplete.has(this.#progress)) return undefined;
    if (this.#edit.type === "replacement") return this.#edit.lines;
    return this.#edit.type === "none" ? this.#edit.code : undefined;
  }

  /** Starts or restarts with an empty answer about the current code. */
  begin(code: readonly string[], wasUnique: boolean): void {
    this.#progress = "asking";
    this.#text = "";
    this.#code = code;
    this.#wasUnique = wasUnique;
    this.#edit = noEdit;
    this.#entry = undefined;
    this.#problem = "";
    this.#decisions = [];
    this.#round += 1;
  }

  /** Sets the progress until the first text. Afterwards, this changes nothing and returns `false`. */
  wait(progress: "asking" | "thinking"): boolean {
    if (this.#progress !== "asking" && this.#progress !== "thinking") return false;
    this.#progress = progress;
    return true;
  }

  /** Appends text from the model. */
  append(text: string): void {
    this.#text += text;
    this.#progress = "answering";
  }

  /** Marks the answer as stopped by the user. */
  stop(): void {
    this.#progress = "stopped";
  }

  /** Marks the answer as failed or truncated. */
  breakOff(problem: string, entry?: EntryName): void {
    this.#progress = this.#text === "" ? "failed" : "cutOff";
    this.#problem = problem;
    this.#entry = entry;
  }

  /** Marks the answer as complete. */
  finish(edit: AnswerEdit, entry: EntryName | undefined): void {
    this.#progress = "done";
    this.#edit = edit;
    this.#entry = entry;
  }

  /** Records what became of each hunk of the change. A change that is undone as a whole can be applied again. */
  decide(decisions: readonly Decision[]): void {
    this.#decisions = decisions;
    if (!isComplete.has(this.#progress)) return;
    if (decisions.includes("open")) this.#progress = "applied";
    else if (!decisions.includes("kept")) this.#progress = "done";
    else this.#progress = decisions.includes("undone") ? "partlyKept" : "kept";
  }
}
