/**
 * Names of tools that change something. Agent mode and inline chat offer such tools; Ask offers read-only tools (seen
 * in VS Code 1.139).
 */
const changes = /apply|create|delete|edit|insert|patch|replace|write/i;

/**
 * Whether a request is pointless if the gateway accepts no tools. Has no dependency on VS Code, so unit tests can load
 * it.
 */
export function needsTools(tools: readonly { readonly name: string }[], mustCall: boolean): boolean {
  return tools.length > 0 && (mustCall || tools.some(({ name }) => changes.test(name)));
}
