import type { AnswerOrigin, EntryName } from "../gateway/types.ts";

/** A model that an entry answers through responses, and whether only questions with tools. */
export interface ResponsesModel {
  readonly model: string;
  readonly withTools: boolean;
}

/** What each entry answers through responses because it does not through chat completions. */
export class ResponsesModels {
  readonly #found = new Map<string, ResponsesModel & Pick<AnswerOrigin, "entry">>();

  /** Takes note of where an answer came from. Returns whether responses are new for such questions. */
  note({ entry, api, model, hasTools = false }: AnswerOrigin): boolean {
    if (api === undefined || model === undefined) return false;
    const key = JSON.stringify([entry, model, hasTools]);
    const isNew = api === "responses" && !this.#found.has(key);
    if (api === "responses") this.#found.set(key, { entry, model, withTools: hasTools });
    else this.#found.delete(key);
    return isNew;
  }

  /** The models that an entry answers through responses. One that it answers so without tools is there once. */
  at(entry: EntryName): readonly ResponsesModel[] {
    const here = [...this.#found.values()].filter((one) => one.entry === entry);
    const whole = new Set(here.filter(({ withTools }) => !withTools).map(({ model }) => model));
    return here
      .filter(({ model, withTools }) => !withTools || !whole.has(model))
      .map(({ model, withTools }) => ({ model, withTools }));
  }

  clear(): void {
    this.#found.clear();
  }
}
