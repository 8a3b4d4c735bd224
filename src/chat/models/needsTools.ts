/**
 * Names of tools that change something. Agent mode and inline chat offer such tools; Ask offers read-only tools (seen
 * in VS Code 1.139). Names are all there is to go by: `LanguageModelChatTool` declares a name, a description and a schema,
 * and tools that are private to the caller, such as those of inline chat, are not in `lm.tools`, which knows tags.
 */
const changes = /apply|create|delete|edit|insert|patch|replace|write/i;

/**
 * Whether a request is pointless if the gateway accepts no tools. Has no dependency on VS Code, so unit tests can load
 * it.
 */
export function needsTools(tools: readonly { readonly name: string }[], mustCall: boolean): boolean {
  return tools.length > 0 && (mustCall || tools.some(({ name }) => changes.test(name)));
}
