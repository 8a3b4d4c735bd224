import { type Command, env, MarkdownString } from "vscode";

/** A link to a command, for Markdown and for notifications, whose links end at the first closing parenthesis. */
export function commandLink({ title, command, arguments: given = [] }: Command): string {
  const encoded = encodeURIComponent(JSON.stringify(given));
  const argument = encoded.replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
  return `[${title}](command:${command}?${argument})`;
}

/** A row of links that can run only these commands. Allows theme icons, so titles must not come from a model. */
export function commandLinks(links: readonly Command[]): MarkdownString {
  const row = new MarkdownString(links.map(commandLink).join("\u2002·\u2002"), true);
  row.isTrusted = { enabledCommands: links.map(({ command }) => command) };
  return row;
}

/** The names of modifier keys. In a remote window, the platform of the user's keyboard is unknown. */
export const [mainKey, altKey] =
  env.remoteName !== undefined
    ? ["Ctrl/Cmd+", "Alt/Option+"]
    : process.platform === "darwin"
      ? ["Cmd+", "Option+"]
      : ["Ctrl+", "Alt+"];
