/** Code and its language, as named in a fence. */
interface Code {
  readonly language: string;
  readonly code: string;
}

const lineComments: Readonly<Record<string, string>> = {
  python: "#",
  ruby: "#",
  yaml: "#",
  shellscript: "#",
  sql: "--",
};

/** The last fenced block of a text. */
export function fencedCode(text: string): Code | undefined {
  const block = [...text.matchAll(/```([\w+#-]*)[^\n]*\n([\s\S]*?)\n?```/g)].at(-1);
  return block && { language: block[1] ?? "", code: block[2] ?? "" };
}

/** The same code below a comment with the requested change. */
export function changeCode({ language, code }: Code, question: string): Code {
  const wish = firstLine(question.replace(/```[\s\S]*?```/g, ""));
  const indent = /^[ \t]*/.exec(code)?.[0] ?? "";
  return { language, code: `${indent}${lineComments[language] ?? "//"} ${wish}\n${code}` };
}

/** A small function that quotes the request. */
export function sampleCode(question: string): Code {
  const wish = firstLine(question);
  return { language: "typescript", code: `export function answer(): string {\n  return ${JSON.stringify(wish)};\n}` };
}

function firstLine(text: string): string {
  return (text.trim().split("\n")[0] ?? "").slice(0, 100);
}
