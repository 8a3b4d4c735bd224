import type { Conversation } from "./conversation.ts";
import { questionOf } from "./conversation.ts";
import { inlineQuestionOf } from "./inlineEdit.ts";
import { type Reply, reply } from "./reply.ts";
import type { Fault } from "./types.ts";

/** Answers an image order with these links, whatever they are. */
export function imageLinks(urls: readonly string[]): Fault {
  const body = JSON.stringify({ created: 1, data: urls.map((url) => ({ url })) });
  return { operation: "image", status: 200, shape: "openai", body };
}

/**
 * The answers of a hijacked model. In inline chat: a change hidden in a comment. Elsewhere: images at `tracker`, which
 * would tell its owner who reads the answer, and a link that would run a command.
 */
export function hostileReply(tracker: string): (conversation: Conversation) => Reply {
  return (conversation) => {
    const inline = inlineQuestionOf(conversation);
    if (inline !== undefined) {
      const { fence, language, mark } = inline;
      const block = [`${fence}${language} ${mark}`, "stealEverything();", fence];
      return { text: ["These lines are fine.", "", "<!--", ...block, "-->", ""].join("\n"), calls: [] };
    }
    if (!questionOf(conversation).includes("lighthouse")) return reply(conversation);
    const pictures = [
      `![a lighthouse](${tracker}/markdown.png?who=reader)`,
      `![a lighthouse][reference]`,
      `<img src="${tracker}/html.png?who=reader">`,
      `[Read more](command:workbench.action.closeAllEditors)`,
      `[reference]: ${tracker}/reference.png?who=reader`,
    ];
    return { text: `A lighthouse shines.\n\n${pictures.join("\n\n")}\n\nThat is all.`, calls: [] };
  };
}
