/** Tasks that have their own command. */
export type Task = "explain" | "fix" | "tests" | "doc";

/** The prompt for each task; the user's own words follow. Callers define the form of the answer. */
export const taskPrompts: Readonly<Record<Task, string>> = {
  explain:
    "Explain what this code does and how: its purpose first, then the steps that are not obvious, then pitfalls. Be brief.",
  fix: "Find what is wrong in this code and fix it. Change only what the fix needs, and say in a sentence what was wrong. If nothing is wrong, say so.",
  tests:
    "Write tests for this code, in the test framework and style that the project shows. Cover the usual case, the edges and the failures, each test with a name that says a behavior.",
  doc: "Write the documentation comments of this code in the usual form of its programming language, and in the human language of the comments that are there. Say what the code cannot say itself; change no code.",
};

/** The prompt for a task without the user's words. Explanations are in `language`, VS Code's; code stays as the project is. */
export function taskPromptIn(language: string, task: Task): string {
  if (/^en\b/.test(language)) return taskPrompts[task];
  return `${taskPrompts[task]} Answer in the language ${language}; comments and texts inside code keep the language of those that are there.`;
}

/** Whether a command, of `@codex` or of a code action, is a task for the model. */
export function isTask(command: unknown): command is Task {
  return typeof command === "string" && Object.hasOwn(taskPrompts, command);
}
