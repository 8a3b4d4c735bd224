/** What can be asked for with a word instead of a sentence. */
export type Task = "explain" | "fix" | "tests" | "doc";

/** What the model is told for each task; the user's own words follow. The answer's form is up to who asks. */
export const taskPrompts: Readonly<Record<Task, string>> = {
  explain:
    "Explain what this code does and how: its purpose first, then the steps that are not obvious, then pitfalls. Be brief.",
  fix: "Find what is wrong in this code and fix it. Change only what the fix needs, and say in a sentence what was wrong. If nothing is wrong, say so.",
  tests:
    "Write tests for this code, in the test framework and style that the project shows. Cover the usual case, the edges and the failures, each test with a name that says a behavior.",
  doc: "Write the documentation comments of this code in the usual form of its programming language, and in the human language of the comments that are there. Say what the code cannot say itself; change no code.",
};

/**
 * What the model is told for a task where the user says nothing in a language of their own. `language` is VS Code's: that
 * of who reads the answer, whereas what goes into the code is read by all who work on it.
 */
export function taskPromptsIn(language: string): Readonly<Record<Task, string>> {
  if (/^en\b/.test(language)) return taskPrompts;
  const inLanguage = (task: Task): string =>
    `${taskPrompts[task]} Answer in the language ${language}; comments and texts inside code keep the language of those that are there.`;
  return { explain: inLanguage("explain"), fix: inLanguage("fix"), tests: inLanguage("tests"), doc: inLanguage("doc") };
}

/** Whether a command of the participant is a task for the model. */
export function isTask(command: string | undefined): command is Task {
  return command !== undefined && Object.hasOwn(taskPrompts, command);
}
