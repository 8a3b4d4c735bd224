import { composeQuestion } from "../../src/chat/context/planQuestion.ts";
import { fitIndentation } from "../../src/edits/place/fit.ts";
import { fenceFor } from "../../src/inline/ask/prompt.ts";
import { answerMarkdown, showChange, withClosingLine } from "../../src/inline/answer/shownAnswer.ts";
import { type EditSubject, onlyBlock, propose, readAnswer } from "../../src/inline/answer/proposal.ts";
import { quote } from "../../src/text/safeText.ts";
import { isStretched, unseenIn } from "../../src/text/unseen.ts";
import { assertLinear } from "../support/assertLinear.ts";

const subject: EditSubject = { path: "a.ts", lines: ["a"], asked: { start: 0, end: 1 }, isCursor: false };

describe("long foreign text keeps nobody waiting", () => {
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    "an answer that is shown": answerMarkdown,
    "an answer that is shown with a closing line": (text) => withClosingLine(text, text),
    "an answer that is read for a block": onlyBlock,
    "an answer that is read for a change": (text) => propose(readAnswer(text, "a.ts"), subject),
    "a change that is shown": (text) =>
      showChange(readAnswer(text, "a.ts"), ["a"], [{ start: 0, end: 1, before: ["a"], lines: [text] }]),
    "an edit that is indented": (text) => fitIndentation(["  a"], text.split("\n")),
    "code that is quoted": (text) => fenceFor(text.split("\n")),
    "a file that is sent": (text) => composeQuestion({ prompt: text }, [{ name: "a", language: "", text }], "en"),
    "a message that is quoted": (text) => quote(text),
    "code that is looked through for what nobody sees": unseenIn,
    "code that is looked through for blanks": isStretched,
  };
  const repeated = [
    ...'`|``x`|```|\\|\\`|<|<b |<!--|![|!\\|[|]|[x]:|[x]: "\n|[x|"|>|> | |\t|- |1. |\n|```\n|~'.split("|"),
    ..."```ts replace\n|- a\n  ```\n|  - a\n|*|\u200b|👩‍💻|\u0645\u200c|sk-|\0|[a]: b 'c|](|1|> ```\n|>\n| \n|\r".split(
      "|",
    ),
  ];
  for (const [title, read] of Object.entries(readers)) {
    it(title, () => {
      for (const piece of repeated) assertLinear((size) => read(`a${piece.repeat(size / piece.length)}x`), 50_000);
    }).timeout(60_000);
  }
});
