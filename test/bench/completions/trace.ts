import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CompletionPlace } from "../../../src/completions/cleaning/place.ts";

/** One key: how long after the last one, in milliseconds, and what it does. */
export type Step =
  | { readonly after: number; readonly insert: string }
  | { readonly after: number; readonly backspace: true }
  /** The cursor goes to the next hole. */
  | { readonly after: number; readonly hole: number };

/** A piece of code that is typed: what it is in the end, and where it starts in the whole file. */
export interface TypedHole {
  readonly at: number;
  readonly text: string;
}

/** A session of typing: holes in a real file that are filled one after the other. Made by `makeTraces.ts`. */
export interface Trace {
  readonly path: string;
  readonly languageId: string;
  readonly seed: number;
  /** The file without the holes. */
  readonly start: string;
  readonly holes: readonly TypedHole[];
  readonly steps: readonly Step[];
}

const folder = join(import.meta.dirname, "traces");

/** All sessions. */
export function readTraces(): readonly Trace[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Trace);
}

/** The file while it is typed in. `padding` stands before its text, to make it longer. */
export class TypedFile {
  readonly #trace: Trace;
  readonly #padding: number;
  #hole: TypedHole = { at: 0, text: "" };
  #prefix = "";
  #suffix: string;

  constructor(trace: Trace, padding = "") {
    this.#trace = trace;
    this.#suffix = padding + trace.start;
    this.#padding = padding.length;
  }

  apply(step: Step): void {
    if ("insert" in step) this.#prefix += step.insert;
    else if ("backspace" in step) this.#prefix = this.#prefix.slice(0, -1);
    else this.#goTo(step.hole);
  }

  get place(): CompletionPlace {
    return { prefix: this.#prefix, suffix: this.#suffix, languageId: this.#trace.languageId };
  }

  /** What will be typed from here; `undefined` while a slip stands. */
  get rest(): string | undefined {
    const typed = this.#prefix.slice(this.#hole.at + this.#padding);
    return this.#hole.text.startsWith(typed) ? this.#hole.text.slice(typed.length) : undefined;
  }

  #goTo(index: number): void {
    const text = this.#prefix + this.#suffix;
    this.#hole = this.#trace.holes[index] ?? this.#hole;
    const at = this.#hole.at + this.#padding;
    this.#prefix = text.slice(0, at);
    this.#suffix = text.slice(at);
  }
}
