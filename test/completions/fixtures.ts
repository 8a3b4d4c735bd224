import { readFileSync } from "node:fs";

/** What a model answers for some code, and what is inserted of it. */
export interface Fixture {
  readonly title: string;
  readonly languageId: string;
  readonly prefix: string;
  readonly text: string;
  readonly suffix: string;
  readonly answers: readonly string[];
}

const [, ...parts] = readFileSync(new URL("fixtures.txt", import.meta.url), "utf8").split(/\n=== /);

export const fixtures: readonly Fixture[] = parts.map((part) => {
  const [, title = "", languageId = "", rest = ""] = /^(.*) \| (\w+)\n([^]*)$/.exec(part) ?? [];
  const [code = "", ...answers] = rest.split("\n--- answer\n");
  const [prefix = "", text = "", suffix = ""] = code.split(/[«»]/);
  return { title, languageId, prefix, text, suffix, answers: answers.length > 0 ? answers : [text] };
});
