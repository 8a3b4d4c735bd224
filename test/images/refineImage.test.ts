import assert from "node:assert/strict";
import { GatewayError } from "../../src/gateway/errors.ts";
import type { AnswerPart, ChatRequest } from "../../src/gateway/types.ts";
import { window } from "vscode";
import type { FailedAction } from "../../src/failures/notice.ts";
import { refineImage, reword } from "../../src/images/refineImage.ts";
import type { Services } from "../../src/services.ts";
import { allPlainSettings as settings } from "../support/plainSettings.ts";

describe("a prompt that is reworded", () => {
  const requests: ChatRequest[] = [];
  const rewordBy = (answer: () => string): Promise<string> => {
    const ask = async function* (request: ChatRequest): AsyncGenerator<AnswerPart> {
      requests.push(request);
      await Promise.resolve();
      yield { type: "text", text: answer() };
    };
    return reword({ gateway: { ask }, settings: () => settings }, "a red\nfox", "blue eyes");
  };

  it("is what stands in the envelope, or else the whole answer, as one line", async () => {
    const answer = "Sure.\n<prompt>\na red fox\nwith blue eyes\n</prompt>";
    assert.equal(await rewordBy(() => answer), "a red fox with blue eyes");
    assert.equal(await rewordBy(() => "a blue-eyed fox"), "a blue-eyed fox");
    const [request] = requests;
    assert.deepEqual([request?.model, request?.feature], [settings.chatModel, "image"]);
    assert.match(JSON.stringify(request?.messages), /a red\\nfox.*blue eyes/);
  });

  it("is the old one with what should change where no text model can be asked, and fails where one does not answer", async () => {
    const failing = (kind: "noKey" | "unreachable") => (): never => {
      throw new GatewayError(kind, "");
    };
    for (const answer of [failing("noKey"), () => "<prompt> </prompt>"])
      assert.equal(await rewordBy(answer), "a red fox blue eyes");
    await assert.rejects(rewordBy(failing("unreachable")), { kind: "unreachable" });
  });

  it("is reworded again by Retry, without asking again what should change", async () => {
    const questions: unknown[] = [];
    window.showInputBox = (options) => Promise.resolve(questions.push(options) === 1 ? "blue eyes" : undefined);
    let failed: FailedAction | undefined;
    const run = (operation: FailedAction, work: () => Promise<unknown>): Promise<unknown> =>
      work().catch(() => (failed = operation));
    const gateway = { ask: () => Promise.reject(new GatewayError("overloaded", "")) };
    const services = { gateway, notifier: { run }, settings: () => settings } as unknown as Services;
    await refineImage(services, { file: "file:///w/x.png", prompt: "a fox", savedAt: 0 });
    await failed?.retry?.();
    assert.deepEqual([failed?.name, questions.length], ["refineImage", 1]);
  });
});
