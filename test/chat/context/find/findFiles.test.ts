import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Excerpt, excerptsOf } from "../../../../src/chat/context/find/excerpts.ts";
import { type Candidate, isAbout, rankFiles } from "../../../../src/chat/context/find/rankFiles.ts";
import { estimateTokens } from "../../../../src/text/estimateTokens.ts";

/** Questions about this repository, with the files that matter. */
const questions: readonly (readonly [question: string, ...files: readonly string[]])[] = [
  [
    "Where is it decided whether a failed request is retried or sent to the backup entry?",
    "gateway/policy/decide.ts",
    "gateway/policy/rules.ts",
  ],
  [
    "How does the circuit breaker find out that an entry is healthy again?",
    "gateway/policy/breaker.ts",
    "gateway/policy/circuit.ts",
  ],
  ["How long do we wait after a Retry-After header?", "gateway/wire/retryAfter.ts", "gateway/policy/decide.ts"],
  [
    "What happens if the stream stays silent for too long?",
    "gateway/policy/silentEntry.ts",
    "gateway/operations/attempt.ts",
  ],
  [
    "How are API keys kept out of log lines and error messages?",
    "text/withoutKeys.ts",
    "gateway/wire/errorWithoutKey.ts",
  ],
  [
    "Which code stops a request to a private or loopback address?",
    "gateway/network/privateAddresses.ts",
    "gateway/network/addressScope.ts",
  ],
  ["How does the client use a proxy?", "gateway/network/proxy.ts"],
  [
    "Where are certificates of the system loaded when TLS fails?",
    "gateway/network/certificates.ts",
    "gateway/network/certificateCodes.ts",
  ],
  [
    "How are tool calls put together from the deltas of a stream?",
    "gateway/wire/toolCalls.ts",
    "gateway/wire/chatReader.ts",
  ],
  [
    "Where is the request body for /v1/responses built?",
    "gateway/wire/responses.ts",
    "gateway/wire/responsesReader.ts",
  ],
  [
    "How do we recognize that a prompt is too long for the model?",
    "gateway/wire/promptLength.ts",
    "gateway/wire/errorAnswer.ts",
  ],
  ["How are server-sent events parsed?", "gateway/wire/serverSentEvents.ts", "gateway/wire/eventParts.ts"],
  ["How does an image download follow redirects safely?", "gateway/operations/images.ts"],
  [
    "Where do we check that the downloaded bytes are really an image?",
    "gateway/operations/images.ts",
    "gateway/wire/imageStructure.ts",
  ],
  ["Who asks the user before a key is sent to a new address?", "setup/confirmKeyOrigin.ts", "settings/keyGuard.ts"],
  ["Where are API keys stored?", "settings/keys.ts"],
  [
    "How is a whole-file edit refused when the model leaves out code with a comment like existing code?",
    "edits/change/omissions.ts",
    "edits/place/replaceWhole.ts",
  ],
  [
    "How is the place of a hunk found when the indentation differs?",
    "edits/place/placeHunk.ts",
    "edits/place/findPlaces.ts",
  ],
  ["Where are unified diffs and V4A patches read?", "edits/read/patch.ts", "edits/read/readEdits.ts"],
  ["How do applied hunks follow what the user types?", "inline/hunks/hunkTracker.ts", "inline/hunks/trackedHunk.ts"],
  ["Where is the question about new problems after applying asked?", "inline/newProblems.ts", "inline/problemWatch.ts"],
  [
    "What is sent to the model when an edit could not be placed and has to be repaired?",
    "inline/repair.ts",
    "inline/secondPrompt.ts",
  ],
  [
    "How does @codex fit attached files into the token budget?",
    "chat/context/fitContext.ts",
    "chat/context/planQuestion.ts",
  ],
  ["Which files count as secrets and are not sent?", "reading/secretFiles.ts", "reading/fileGate.ts"],
  ["How are tokens estimated?", "text/estimateTokens.ts", "text/tokenCounter.ts"],
  ["How is untrusted text escaped for Markdown?", "text/safeText.ts", "text/markdown.ts"],
  [
    "Where is the commit message streamed into the input box of the repository?",
    "git/boxWriter.ts",
    "git/generateMessage.ts",
  ],
  ["What keeps images that were paid for but could not be saved?", "images/pendingImages.ts", "images/keptImages.ts"],
  ["How does the status bar tooltip show the health of each entry?", "status/statusTooltip.ts", "status/statusBar.ts"],
  ["Why does activation load so little code, and where do the features load later?", "extension.ts", "features.ts"],
];

describe("the files found for a question", () => {
  const paths = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
  const texts = paths.filter(
    (path) =>
      /\.(?:ts|mjs|json|md|css|yml)$/.test(path) &&
      path !== "package-lock.json" &&
      !/find(?:Files|Context)\.test/.test(path),
  );
  const candidates = texts.map((path): Candidate => ({ path, text: readFileSync(path, "utf8") }));

  const find = async (question: string): Promise<readonly Excerpt[]> => {
    const ranked = await rankFiles(question, candidates);
    return isAbout(ranked) ? excerptsOf(question, ranked, 8_000) : [];
  };

  it("are none where the question is about something else", async () => {
    for (const question of [
      "Why is the sky blue?",
      "What is the capital of France?",
      "How do I cook pasta?",
      "Write a haiku about autumn",
      "What is a monad?",
      "thanks",
      "",
    ]) {
      assert.deepEqual(await find(question), [], question);
    }
  });

  it("have the file first that the question names", async () => {
    for (const name of ["decide.ts", "src/gateway/policy/decide.ts", "runOperation", "`refreshThrottle`"]) {
      const [first] = await find(`What does ${name} do?`);
      assert.match(first?.path ?? "", new RegExp(`${name.replaceAll("`", "").replace(".ts", "")}\\.ts$`));
    }
  });

  it("hold at least 80 % of those that matter, within 8,000 tokens", async () => {
    let [found, listed] = [0, 0];
    const missed: string[] = [];
    for (const [question, ...files] of questions) {
      const excerpts = await find(question);
      const tokens = excerpts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
      assert.ok(tokens <= 8_000, `${question}: ${tokens} tokens`);
      const paths = new Set(excerpts.map(({ path }) => path));
      const missing = files.filter((file) => !paths.has(`src/${file}`));
      listed += files.length;
      found += files.length - missing.length;
      if (missing.length > 0) missed.push(`${question}: ${missing.join(", ")} (${[...paths].join(" ")})`);
    }
    const share = `${found} of ${listed}`;
    assert.ok(found >= 0.8 * listed, `${share}\n${missed.join("\n")}`);
  });
});
