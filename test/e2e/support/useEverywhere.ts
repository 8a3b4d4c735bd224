import assert from "node:assert/strict";
import type { Session } from "./session.ts";

/** What a new user saw on the way to the first answer of Agent. */
export interface FirstAnswer {
  /** What the user did after the VSIX was installed. */
  readonly interactions: readonly string[];
  /** The question of the last step. */
  readonly question: string;
  readonly answer: string;
  readonly seconds: number;
}

/** Sets the gateway up with Use Everywhere in a fresh profile, and asks Agent, as a new user would. */
export async function useEverywhere({ workbench, gateway }: Session): Promise<FirstAnswer> {
  const { quickInput, notifications, dialog, chat, page } = workbench;
  const interactions: string[] = [];
  const startedAt = Date.now();
  const does = async (interaction: string, work: Promise<void>): Promise<void> => {
    interactions.push(interaction);
    await work;
  };
  await does("Set Up", notifications.click(/Codex Gateway is installed/, "Set Up"));
  await does("primary entry", quickInput.answer(/primary entry/, gateway.primary.url));
  await does("backup entry", quickInput.answer(/backup entry/, gateway.backup.url));
  await does("codex key", quickInput.answer(/codex group/, gateway.keys.codex));
  await does("image key", quickInput.answer(/image group/, gateway.keys.image));
  const question = await dialog.text();
  await workbench.screenshot("everywhere-question");
  await does("Use Everywhere", dialog.click("Use Everywhere"));
  // The keyboard is in the input then.
  await page.locator(".part.auxiliarybar .interactive-input-editor .native-edit-context:focus").waitFor();
  await workbench.screenshot("everywhere-on");
  interactions.push("question");
  await page.keyboard.insertText("What does a lighthouse do?");
  await page.keyboard.press("Enter");
  const answer = await chat.waitForAnswer(/Answered by gpt-5\.3-codex/);
  await workbench.screenshot("everywhere-answer");
  assert.equal(await page.locator(".monaco-dialog-box").count(), 0);
  return { interactions, question, answer, seconds: (Date.now() - startedAt) / 1000 };
}
