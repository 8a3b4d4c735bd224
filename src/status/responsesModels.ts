import type { AnswerOrigin, EntryName } from "../gateway/types.ts";

/** A model that an entry answers through `/v1/responses`. `withTools`: only questions with tools. */
export interface ResponsesModel {
  readonly model: string;
  readonly withTools: boolean;
}

/** The models that each entry answers through `/v1/responses` instead of `/v1/chat/completions`. */
export class ResponsesModels {
  readonly #found = new Map<string, ResponsesModel & Pick<AnswerOrigin, "entry">>();

  /** Records the origin of an answer. Returns whether this is the first such question answered by `/v1/responses`. */
  note({ entry, api, model, hasTools = false }: AnswerOrigin): boolean {
    if (api === undefined || model === undefined) return false;
    const key = JSON.stringify([entry, model, hasTools]);
    const isNew = api === "responses" && !this.#found.has(key);
    if (api === "responses") this.#found.set(key, { entry, model, withTools: hasTools });
    else this.#found.delete(key);
    return isNew;
  }

  /** The models of an entry, each once: without tools if both with and without. */
  at(entry: EntryName): readonly ResponsesModel[] {
    const here = [...this.#found.values()].filter((one) => one.entry === entry);
    const withoutTools = new Set(here.filter(({ withTools }) => !withTools).map(({ model }) => model));
    return here
      .filter(({ model, withTools }) => !withTools || !withoutTools.has(model))
      .map(({ model, withTools }) => ({ model, withTools }));
  }

  clear(): void {
    this.#found.clear();
  }
}
