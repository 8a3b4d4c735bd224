import assert from "node:assert/strict";
import { type Task, taskPrompts, taskPromptsIn } from "../../src/text/tasks.ts";

describe("the prompts of tasks", () => {
  it("need no language where VS Code speaks English, and ask for another one", () => {
    for (const language of ["en", "en-gb"]) assert.deepEqual(taskPromptsIn(language), taskPrompts);
    for (const language of ["zh-cn", "de", "eno"]) {
      for (const task of Object.keys(taskPrompts) as Task[]) {
        const prompt = taskPromptsIn(language)[task];
        assert.ok(prompt.startsWith(taskPrompts[task]), task);
        assert.match(prompt.slice(taskPrompts[task].length), new RegExp(`\\b${language}\\b`));
      }
    }
  });
});
