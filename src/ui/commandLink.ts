import { type Command, env, MarkdownString } from "vscode";

/** A link to a command, for Markdown and for notifications, where links end at the first closing parenthesis. */
export function commandLink({ title, command, arguments: given = [] }: Command): string {
  const encoded = encodeURIComponent(JSON.stringify(given));
  const argument = encoded.replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
  return `[${title}](command:${command}?${argument})`;
}

/** Links that run these commands only, with titles of our own. It allows theme icons, which tells it from what a model says. */
export function commandLinks(links: readonly Command[]): MarkdownString {
  const row = new MarkdownString(links.map(commandLink).join("\u2002·\u2002"), true);
  row.isTrusted = { enabledCommands: links.map(({ command }) => command) };
  return row;
}

/** How the key that goes with others is called. In a remote window, the platform says nothing about the user's keyboard. */
export const mainKey = env.remoteName !== undefined ? "Ctrl/Cmd+" : process.platform === "darwin" ? "Cmd+" : "Ctrl+";
