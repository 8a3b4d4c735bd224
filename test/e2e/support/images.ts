import { succeeded } from "./attempts.ts";
import { until } from "./until.ts";
import type { Workbench } from "./workbench.ts";

/** Orders an image from the palette, as a person does; by default at the size on top of the list. */
export async function orderImage(workbench: Workbench, prompt: string, size?: string): Promise<void> {
  await workbench.runCommand("Codex Gateway: Generate Image");
  await finishOrder(workbench, prompt, size);
}

/** Answers what Generate Image asks. */
export async function finishOrder({ quickInput }: Workbench, prompt: string, size?: string): Promise<void> {
  await quickInput.answer("Generate an image", prompt);
  if (size === undefined) await quickInput.acceptFirst("Select the image size");
  else await quickInput.pick(size);
}

/** Unfolds the view of the workspace's images unless it is unfolded. */
export async function openImagesView({ page }: Workbench): Promise<void> {
  const header = page.locator(".pane-header", { hasText: "Codex Images" });
  const unfolded = header.and(page.locator("[aria-expanded='true']"));
  await header.waitFor();
  await until(async () => {
    if ((await unfolded.count()) > 0) return true;
    await succeeded(header.click({ timeout: 3_000 }));
    return succeeded(unfolded.waitFor({ timeout: 3_000 }));
  }, "the view of the images to unfold");
}
