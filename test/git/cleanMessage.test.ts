import assert from "node:assert/strict";
import fc from "fast-check";
import { processorTime } from "../support/assertLinear.ts";
import { each } from "../support/each.ts";
import { cleanMessage, joinTyped, layOutMessage } from "../../src/git/cleanMessage.ts";

describe("the commit message in an answer", () => {
  each([
    ["is taken as it is", "feat: add a pier", "feat: add a pier"],
    ["loses placeholders of secrets", "Set the key to [secret 123456 removed]", "Set the key to …"],
    ["loses a fence", "```\nfeat: add a pier\n\nIt is long.\n```", "feat: add a pier\n\nIt is long."],
    ["loses an introduction", "Here is the commit message:\n\nAdd a pier", "Add a pier"],
    ["loses a label", "Commit message: Add a pier", "Add a pier"],
    ["loses a Chinese label", "提交信息：添加码头", "添加码头"],
    ["loses quotation marks", '"Add a pier"', "Add a pier"],
    ["keeps quotation marks at both ends that are two pairs", '"pier" becomes "jetty"', '"pier" becomes "jetty"'],
    ["keeps a message about messages", "Say which commit message: the last", "Say which commit message: the last"],
    ["gets an empty line after the subject", "Add a pier\nIt is long.", "Add a pier\n\nIt is long."],
    ["loses control characters", "Add\u0007 a\r\n\r\npier\u001b", "Add a\n\npier"],
    ["is empty if there is only a fence", "```\n \t\n```", ""],
    ["is empty if the model refuses", "I'm sorry, but I can't help with that.", ""],
    ["is empty if the model refuses in Chinese", "很抱歉，我无法处理此请求。", ""],
    ["may be about an apology", "Sorry state of the pier: repair it", "Sorry state of the pier: repair it"],
    ["loses an introduction on the same line", "Here is your commit message: feat: add a pier", "feat: add a pier"],
    ["loses an introduction that says why", "Based on the diff, here is a commit message:\n\nAdd it", "Add it"],
    ["loses a Chinese introduction", "以下是为您生成的提交消息：\n\n添加码头", "添加码头"],
    ["loses any introduction before a fence", "Ecco qua:\n\n```\nAggiunge un molo\n```", "Aggiunge un molo"],
    ["keeps a subject with a colon", "Rework the harbor:\n\n- a pier", "Rework the harbor:\n\n- a pier"],
    ["loses what follows the fence", "```\nAdd a pier\n```\n\nThis message is short.", "Add a pier"],
    ["loses tags", "<commit_message>\nAdd a pier\n</commit_message>", "Add a pier"],
    ["loses reasoning", "<think>\nA pier, I see.\n</think>\n\nAdd a pier", "Add a pier"],
    ["loses the marks of a heading", "# Add a pier\n\nIt is long.", "Add a pier\n\nIt is long."],
    ["keeps the number of an issue", "#12: add a pier", "#12: add a pier"],
    ["loses bold type", "**Add a pier**\n\nIt is long.", "Add a pier\n\nIt is long."],
    ["loses quotation marks around the subject", "`Add a pier`\n\nIt is long.", "Add a pier\n\nIt is long."],
    ["keeps a list in the body", "Add piers\n\n1. the north\n2. the south", "Add piers\n\n1. the north\n2. the south"],
    ["keeps a fence in the body", "Add it\n\nRun:\n```\nnpm start\n```", "Add it\n\nRun:\n```\nnpm start\n```"],
  ]).gives((answer) => cleanMessage(answer, true));

  each([
    ["shows no introduction while it arrives", "Sure, here's a commit message for you", ""],
    ["shows what follows an introduction", "Sure, here's a commit message for you:\n\nAdd", "Add"],
    ["shows what only begins like an introduction", "Here comes the pi", "Here comes the pi"],
    ["shows no reasoning while it arrives", "<think>A pier, I s", ""],
  ]).gives((answer) => cleanMessage(answer, false));

  it("that goes on with a body the user began keeps its lists", () => {
    assert.equal(cleanMessage("- a pier\n- a lamp", true, true), "- a pier\n- a lamp");
    assert.equal(cleanMessage("1. a pier\n2. a lamp", true, true), "1. a pier\n2. a lamp");
    const long = "word ".repeat(40).trim();
    assert.doesNotMatch(cleanMessage(long, true, true), /\n\n|.{73}/);
  });

  it("has nothing that nobody sees in the box", () => {
    const answer = `feat: add\u202e a pier\u200b 👩‍💻\n\nIt is long.${" ".repeat(300)}It is wet.`;
    for (const isWhole of [true, false]) {
      assert.equal(cleanMessage(answer, isWhole), "feat: add a pier 👩‍💻\n\nIt is long. It is wet.");
    }
  });

  it("is bounded, and cleaned in linear time", () => {
    assert.ok(cleanMessage("word ".repeat(5_000), true).length <= 4_000);
    assert.equal(cleanMessage(`\`\`\`\n${"\n".repeat(1_000_000)}x`, true), "");
    for (const part of ["\n", " \n", "```\n", "**", "here is: ", "<think>", "commit", " "]) {
      for (const begin of ["", "```\n", "Here is a message", "<", "I would "]) {
        const answer = `${begin}${part.repeat(Math.ceil(39_000 / part.length))}\nx`;
        const time = Math.min(...[1, 2, 3].map(() => processorTime(() => cleanMessage(answer, true))));
        assert.ok(time < 300, `${JSON.stringify([begin, part])}: ${time} ms`);
      }
    }
  });
});

describe("the layout of a commit message", () => {
  it("breaks a subject that is too long, without losing a word", () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    const message = layOutMessage(words, false);
    const [subject = "", empty, ...body] = message.split("\n");
    assert.ok(subject.length <= 120, subject);
    assert.equal(empty, "");
    assert.equal([subject, ...body].join(" "), words);
  });

  it("never breaks a subject within an emoji", () => {
    for (const start of ["", "a"]) {
      const text = start + "🚢".repeat(80);
      const [subject = "", , ...body] = layOutMessage(text, false).split("\n");
      assert.deepEqual([subject + body.join(""), subject.isWellFormed()], [text, true]);
    }
  });

  const [start, end] = ["It is as long as the ships that come to the harbor in the summer, and", "sometimes longer."];
  const long = `${start} ${end}`;
  each([
    ["breaks the body after 72 columns", long, `${start}\n${end}`],
    ["indents the rest of an item", `- ${long}`, `- ${start}\n  ${end}`],
    ["indents the rest of a numbered item", `1. ${long}`, `1. ${start}\n   ${end}`],
  ]).hold((body, expected) => {
    assert.equal(layOutMessage(`Add it\n\n${body}`, false), `Add it\n\n${expected}`);
    assert.equal(layOutMessage(body, true), expected);
  });

  it("keeps links, Chinese text, code, and trailers as they are", () => {
    const trailer = `Co-authored-by: ${"Name ".repeat(20)}<a@example.com>`;
    const whole = [
      `https://${"a/".repeat(60)}`,
      "码头很长，".repeat(30),
      `\`\`\`\n${long}\n\`\`\``,
      `    ${long}`,
      trailer,
    ];
    for (const body of whole) assert.equal(layOutMessage(`Add it\n\n${body}`, false), `Add it\n\n${body}`);
  });

  it("loses no word, whatever the message is", () => {
    const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
    const line = fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 30 }).map((all) => all.join(" "));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.boolean(), (lines, isBody) => {
        // A subject may be broken inside a word that is longer than half of it.
        const text = ["Add it", ...lines].join("\n");
        assert.deepEqual(words(layOutMessage(text, isBody)), words(text));
      }),
    );
  });

  each([
    ["is all where nothing was typed", "", "Add a pier", "Add a pier"],
    ["follows what the user typed", "feat:", "add a pier", "feat: add a pier"],
    ["follows the blank that the user typed", "feat: ", "add a pier", "feat: add a pier"],
    ["repeats nothing that the user typed", "feat:", "feat: add a pier", "feat: add a pier"],
    ["goes on with a comma", "Add a pier", ", which is long", "Add a pier, which is long"],
    ["goes on with a body", "Add a pier", "Add a pier\n\nIt is long.", "Add a pier\n\nIt is long."],
    ["has nothing to add", "Add a pier", "Add a pier", "Add a pier"],
  ]).gives(joinTyped);
});
