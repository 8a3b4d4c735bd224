import assert from "node:assert/strict";
import { mock } from "node:test";
import { window } from "vscode";
import { Notifier } from "../../src/failures/notifier.ts";
import { saving } from "../../src/failures/userError.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import { until } from "../support/until.ts";

describe("the log of a failure", () => {
  it("has a line for every attempt, and the gateway's own words, without keys, for those only who ask for details", () => {
    const details = { status: 529, gatewayMessage: "Busy, sk-123" };
    const lines = report(new GatewayError("overloaded", "Status 529.", details));
    assert.deepEqual(lines, ["warn chat: overloaded · status 529 · Status 529.", "debug chat: Busy, sk-…"]);
    const attempts = [new GatewayError("unreachable", "One.", { entry: "primary" })];
    const both = report(new GatewayError("timeout", "Two.", { entry: "backup", attempts }));
    assert.deepEqual(both, ["warn chat: unreachable · primary · One.", "warn chat: timeout · backup · Two."]);
  });

  it("has what caused the unexpected, and no key in its message, in its stack, or in its cause", () => {
    const cause = new TypeError("Invalid header Bearer sk-cause-123");
    const error = new Error("Cannot send sk-message-123", { cause });
    error.stack = `${String(error)}\n    at sk-stack-123 (a.js:1:1)`;
    const lines = report(error);
    assert.equal(lines.length, 2);
    const text = lines.join("\n");
    assert.match(text, /^error Error: Cannot send sk-…\n[^]*a\.js:1:1[^]*\nerror TypeError: Invalid header/);
    assert.doesNotMatch(text, /123/);
  });
});

const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };

describe("the notification of a question", () => {
  it("has a link in place of buttons where the chat has them, and none to a long question", () => {
    const shown: (readonly unknown[])[] = [];
    window.showErrorMessage = (...given: readonly unknown[]) => {
      shown.push(given);
      return Promise.resolve(undefined);
    };
    const retry = (): Promise<void> => Promise.resolve();
    for (const query of ["@codex Why (again)?", "why ".repeat(500)]) {
      const retryCall = { command: "workbench.action.chat.open", arguments: [{ query }] };
      const operation = { name: "chat", keyGroup: "codex", isInChat: true, retry, retryCall } as const;
      new Notifier(log, Date.now).report(new GatewayError("overloaded", ""), operation);
    }
    const argument = "%5B%7B%22query%22%3A%22%40codex%20Why%20%28again%29%3F%22%7D%5D";
    const text = "The gateway is overloaded.";
    assert.deepEqual(shown, [[`${text} [Retry](command:workbench.action.chat.open?${argument})`], [text]]);
  });

  it("is the only one where its title fails too, whichever fails first", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const shown: string[] = [];
    // Nobody reacts. The extension itself may still tell what failed in earlier tests.
    window.showErrorMessage = (text: string, ...buttons: readonly unknown[]) => {
      if (text.includes("overloaded")) shown.push(JSON.stringify([text, ...buttons]));
      return new Promise<undefined>(() => undefined);
    };
    const notifier = new Notifier(log, Date.now);
    for (const [modelFrom, question] of [["utility"], ["picker", "Why?"], ["utility"]] as const) {
      const operation = { name: "model", keyGroup: "codex", modelFrom, builtInChat: { question } } as const;
      notifier.report(new GatewayError("overloaded", "Status 529.", { status: 529 }), operation);
    }
    mock.timers.tick(2_700);
    mock.timers.reset();
    assert.equal(shown.length, 1);
    assert.match(shown[0] ?? "", /Try Again/);
  });
});

describe("a message of the extension", () => {
  /** The messages, with their buttons. */
  const shown: (readonly string[])[] = [];
  beforeEach(() => {
    shown.length = 0;
    const show = (text: string, ...buttons: readonly { readonly title: string }[]) => {
      shown.push([text, ...buttons.map(({ title }) => title)]);
      // Presses the first button of all but the third.
      return Promise.resolve(shown.length < 3 ? buttons[0] : undefined);
    };
    Object.assign(window, { showInformationMessage: show, showErrorMessage: show });
  });

  it("says so where its button cannot do what it says, and offers to try again", async () => {
    const notifier = new Notifier(log, Date.now);
    let tries = 0;
    const broken = (): Promise<void> => {
      tries += 1;
      return Promise.reject(new Error("Unable to write into user settings."));
    };
    await notifier.inform("Slow.", { title: "Only on Demand", run: () => saving(broken) });
    await until(() => shown.length === 3, "the second refusal");
    const refusal = shown[1] ?? [];
    assert.match(refusal[0] ?? "", /^VS Code could not save the settings\./);
    assert.deepEqual(refusal.slice(1), ["Retry", "Show Log"]);
    assert.equal(tries, 2);
  });

  it("has a button where it is longer than the line that VS Code shows without one", async () => {
    const notifier = new Notifier(log, Date.now);
    const texts = ["The edit was undone.", "The edit was undone. ".repeat(4), "已撤销此次更改。".repeat(5)];
    for (const text of texts) await notifier.inform(text);
    const buttons = shown.map(([, ...titles]) => titles);
    assert.deepEqual(buttons, [[], ["OK"], ["OK"]]);
  });
});

function report(error: unknown): readonly string[] {
  const lines: string[] = [];
  const write = (level: string) => (message: string | Error) => void lines.push(`${level} ${String(message)}`);
  const log = { debug: write("debug"), warn: write("warn"), error: write("error") };
  new Notifier(log, Date.now).report(error, { name: "chat", keyGroup: "codex" });
  return lines;
}
