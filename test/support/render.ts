import { lexer, type Token, walkTokens } from "marked";

/** Rendered Markdown, by the renderer that VS Code 1.139 uses (marked 14). */
export interface Shown {
  /** The texts of its blocks of code. */
  readonly blocks: readonly string[];
  /** Tokens that are not shown as written: HTML, link definitions, images. */
  readonly unseen: readonly Token[];
}

/** Reads a Markdown text as VS Code does. */
export function render(markdown: string): Shown {
  const tokens = lexer(markdown);
  const all: Token[] = [];
  void walkTokens(tokens, (token) => {
    all.push(token);
  });
  return {
    blocks: all.flatMap((token) => (token.type === "code" ? [String(token.text)] : [])),
    unseen: all.filter(({ type }) => type === "html" || type === "def" || type === "image"),
  };
}
