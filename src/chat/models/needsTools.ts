/** Tools that change something: agent mode and inline chat offer them, Ask offers only tools that read. */
const changes = /apply|create|delete|edit|insert|patch|replace|write/i;

/** Whether a request makes no sense where tools are not taken. On its own to be tested without VS Code. */
export function needsTools(tools: readonly { readonly name: string }[], mustCall: boolean): boolean {
  return tools.length > 0 && (mustCall || tools.some(({ name }) => changes.test(name)));
}
