import assert from "node:assert/strict";
import { helpButton } from "../../src/chat/participant/handler.ts";
import type { FailedAction } from "../../src/failures/notice.ts";
import { noticeOf } from "../../src/failures/notices.ts";
import { UserError } from "../../src/failures/userError.ts";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../src/gateway/errors.ts";
import type { KeyGroup } from "../../src/gateway/types.ts";
import { everyKind } from "./everyKind.ts";

const retryCall = { command: "workbench.action.chat.open", arguments: [{ query: "@codex why?" }] };

describe("the button below a failure in the chat", () => {
  const cases: readonly (readonly [GatewayErrorKind, GatewayErrorDetails, KeyGroup, string, readonly unknown[]])[] = [
    ["noEntry", {}, "codex", "codexGateway.setUp", []],
    ["noKey", {}, "image", "codexGateway.setApiKey", ["image"]],
    ["unauthorized", { status: 401 }, "image", "codexGateway.setApiKey", ["image"]],
    ["forbidden", { status: 403 }, "codex", "codexGateway.setApiKey", ["codex"]],
    ["notFound", { status: 404 }, "codex", "workbench.action.openSettings", ["@id:codexGateway.baseUrl"]],
    ["redirected", { entry: "backup" }, "codex", "workbench.action.openSettings", ["@id:codexGateway.backupBaseUrl"]],
    ["modelNotFound", { status: 400 }, "codex", "codexGateway.selectModel", []],
    ["modelNotFound", { status: 400 }, "image", "codexGateway.showLog", []],
    ["overloaded", { status: 529 }, "codex", retryCall.command, retryCall.arguments],
    ["rateLimited", { status: 429, retryAfter: 3_600_000 }, "codex", "codexGateway.showLog", []],
  ];
  for (const [kind, details, keyGroup, command, args] of cases) {
    it(`does what helps: ${kind}, ${keyGroup} key`, () => {
      const button = buttonOf(new GatewayError(kind, "", details), keyGroup);
      assert.deepEqual([button?.command, button?.arguments], [command, args]);
    });
  }

  it("is the first one of the notification, whatever failed", () => {
    for (const kind of everyKind) {
      const operation = turn("codex");
      const error = new GatewayError(kind, "it is not a URL");
      const [first] = noticeOf(error, operation).actions;
      assert.equal(helpButton(noticeOf(error, operation))?.title, first?.title, kind);
    }
  });

  it("helps with failures of this side too", () => {
    assert.deepEqual(buttonOf(new UserError("noTools"))?.arguments, ["@id:codexGateway.toolCalling"]);
    assert.equal(buttonOf(new UserError("imageInput")), undefined);
  });

  it("passes nothing on that only the running extension knows", () => {
    const retry = (): Promise<void> => Promise.resolve();
    const notice = noticeOf(new GatewayError("overloaded", ""), { name: "chat", keyGroup: "codex", retry });
    assert.equal(helpButton(notice)?.command, "codexGateway.showLog");
  });
});

function turn(keyGroup: KeyGroup): FailedAction {
  return { name: "chat", keyGroup, retry: () => Promise.resolve(), retryCall, isInChat: true };
}

function buttonOf(error: unknown, keyGroup: KeyGroup = "codex"): ReturnType<typeof helpButton> {
  return helpButton(noticeOf(error, turn(keyGroup)));
}
