import assert from "node:assert/strict";
import { type Task, taskPromptIn, taskPrompts } from "../../src/text/tasks.ts";

describe("the prompts of tasks", () => {
  it("need no language where VS Code speaks English, and ask for another one", () => {
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
