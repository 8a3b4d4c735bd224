import assert from "node:assert/strict";
import { type Task, taskPromptIn, taskPrompts } from "../../src/prompts/tasks.ts";

describe("the prompts of tasks", () => {
  it("name the language of VS Code unless it is English", () => {
    for (const task of Object.keys(taskPrompts) as Task[]) {
      for (const language of ["en", "en-gb"]) assert.equal(taskPromptIn(language, task), taskPrompts[task]);
      for (const language of ["zh-cn", "de", "eno"]) {
        const prompt = taskPromptIn(language, task);
        assert.ok(prompt.startsWith(taskPrompts[task]), task);
        assert.match(prompt.slice(taskPrompts[task].length), new RegExp(`\\b${language}\\b`));
      }
    }
  });
});
