import assert from "node:assert/strict";
import { type Task, taskPrompts, taskPromptsIn } from "../../src/text/tasks.ts";

describe("the prompts of tasks", () => {
  const tasks = Object.keys(taskPrompts) as Task[];

  for (const language of ["en", "en-gb"]) {
    it(`need no language where VS Code speaks English: ${language}`, () => {
      assert.deepEqual(taskPromptsIn(language), taskPrompts);
    });
  }

  for (const language of ["zh-cn", "de", "eno"]) {
    it(`ask for an answer in the language of VS Code: ${language}`, () => {
      for (const task of tasks) {
        const prompt = taskPromptsIn(language)[task];
        assert.ok(prompt.startsWith(taskPrompts[task]), task);
        assert.match(prompt.slice(taskPrompts[task].length), new RegExp(`\\b${language}\\b`));
      }
    });
  }
});
