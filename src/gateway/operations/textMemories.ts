import type { ChatRequest, EntryName, GatewaySettings, TextApi } from "../types.ts";
import { ApiMemory } from "./apiMemory.ts";
import { switchedOffFields } from "./fieldChoice.ts";
import { FieldMemory } from "./fieldMemory.ts";

/** What a text operation knows about the entries. */
export interface TextKnowledge {
  /** Undocumented fields that the settings turn off. */
  readonly switchedOff: ReadonlySet<string>;
  fieldMemory(entry: EntryName, api: TextApi): FieldMemory;
  apiMemory(entry: EntryName): ApiMemory;
}

/** What text operations have learned about each entry and model. */
export class TextMemories {
  readonly #fields = new Map<string, FieldMemory>();
  readonly #apis = new Map<string, ApiMemory>();

  of(request: ChatRequest, settings: GatewaySettings): TextKnowledge {
    const { model } = request;
    return {
      switchedOff: switchedOffFields(settings),
      fieldMemory: (entry, api) =>
        known(this.#fields, `${entry} ${api} ${subjectOf(request)}`, () => new FieldMemory()),
      apiMemory: (entry) => known(this.#apis, `${entry} ${model}`, () => new ApiMemory()),
    };
  }
}

function known<T>(memories: Map<string, T>, key: string, create: () => T): T {
  const memory = memories.get(key) ?? create();
  memories.set(key, memory);
  return memory;
}

/** What rejected fields depend on. An effort may be refused for its value, or only together with tools. */
function subjectOf({ model, reasoningEffort, tools = [] }: ChatRequest): string {
  if (reasoningEffort === undefined) return model;
  return `${model} ${reasoningEffort}${tools.length > 0 ? " with tools" : ""}`;
}
