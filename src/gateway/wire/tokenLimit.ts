/** A model's limit, as an error names it. */
export interface TokenLimit {
  /** A number of tokens between 1,000 and 100,000,000. */
  readonly tokenLimit: number;
  /** Whether the limit is for the context, which also holds the answer, or for the prompt alone. */
  readonly limits: "context" | "input";
}

/** Plausible limits, in tokens. */
const least = 1_000;
const most = 100_000_000;

/** A number of tokens, such as `272000`, `128,000` or `128k`, and no part of another number or word. */
const number = String.raw`(?<![\w.-])(\d[\d,_]{0,14}[km]?)(?![\w-])`;

/** What may stand between words and their number, in the same sentence. */
const gap = String.raw`[^\d.;。；]{0,40}`;

/** Where errors name a limit, most specific first. */
const forms: readonly (readonly [limits: TokenLimit["limits"], form: RegExp])[] = [
  // "input length and max_tokens exceed context limit: 199759 + 8192 > 200000"
  ["context", new RegExp(String.raw`\d \+ \d{1,12} > ${number}`, "i")],
  // "maximum context length is 272000 tokens", "context window of 128,000", "context size (8192 tokens)"
  ["context", new RegExp(String.raw`\bcontext[ _-](?:length|window|size|limit)${gap}${number}`, "i")],
  // "longer than the maximum model length of 4096", "max length:8192", "model token limit: 8192"
  [
    "context",
    new RegExp(String.raw`\b(?:maximum model|model max|model token|max) (?:length|limit)${gap}${number}`, "i"),
  ],
  ["context", new RegExp(String.raw`上下文${gap}${number}`, "i")],
  // "1000788 tokens > 1000000 maximum"
  ["input", new RegExp(String.raw`\btokens > ${number}`, "i")],
  // "Range of input length should be [1, 30720]"
  ["input", new RegExp(String.raw`\binput length should be \[\d{1,9}, ?${number}`, "i")],
  // "Max size: 8000 tokens"
  ["input", new RegExp(String.raw`\bmax(?:imum)? (?:size|input)${gap}${number}`, "i")],
  // "exceeds the limit of 90000", "exceeds the maximum number of tokens allowed (1048576)"
  ["input", new RegExp(String.raw`\bexceed\w{0,3}\b${gap}${gap}${number}`, "i")],
  ["input", new RegExp(String.raw`(?:超过|超出|上限|最大|限制)${gap}${number}`, "i")],
];

/** The limit that an error names, if it is plausible. Reads untrusted text in linear time. */
export function tokenLimitIn(words: string): TokenLimit | undefined {
  for (const [limits, form] of forms) {
    const found = form.exec(words)?.[1];
    if (found === undefined) continue;
    const tokenLimit = valueOf(found);
    return tokenLimit >= least && tokenLimit <= most ? { tokenLimit, limits } : undefined;
  }
  return undefined;
}

function valueOf(text: string): number {
  const unit = { k: 1_000, m: 1_000_000 }[text.at(-1)?.toLowerCase() ?? ""] ?? 1;
  return Number(text.replace(/\D/g, "")) * unit;
}
