/** Lines that start a block in languages that end it with a word, by their first and by their last word. */
const opensFirst =
  /^\s*(?:(?:private|protected|public|local|pub)\s+)?(?:def|class|module|if|unless|while|until|case|for|begin|else|elsif|elif|elseif|when|rescue|ensure|function|struct|try|quote|cond|defmodule|select|from|where|set|values|with|insert|update|create|join|and|or)\b/i;
const opensLast =
  /(?:\b(?:do|then|else|repeat|in|begin|loop|as|of|select|from|where|set|values|try|fn|if|case|begin)|\|)\s*$/i;
/** Starts and ends of lines after which the next one must be deeper. */
const surelyOpens = /^\s*(?:def|class|module|function)\b[^;=]*$|\b(?:do|then|repeat|begin|loop)(?:\s*\|[^|]*\|)?\s*$/i;
const hasFunction = /\bfunction\b[^()]*\([^()]*\)\s*$/;
/** Lines that start with what ends a block, or goes on with it. */
const closes =
  /^\s*(?:end|fi|done|esac|else|elsif|elif|elseif|when|rescue|ensure|until|catch|after|from|where|loop|do|then|in|from|where|order|group|having|union|on|values|set|as|private|protected|public)\b|^\s*;;|^\s*[^\s(]{1,40}\)/i;

/** Whether a line can, or must, be followed by a deeper one. */
export function opensBlock(code: string): "must" | "may" | undefined {
  if (/\bend\b/.test(code)) return opensLast.test(code) ? "may" : undefined;
  if (surelyOpens.test(code) || hasFunction.test(code)) return "must";
  return opensFirst.test(code) || opensLast.test(code) || /[)\]}{([\\,=|&+.?:>-]\s*$/.test(code) ? "may" : undefined;
}

/** Whether a line can be less deep than the one before. */
export function closesBlock(code: string): boolean {
  return closes.test(code) || /^\s*[)\]}]/.test(code);
}
