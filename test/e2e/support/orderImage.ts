import type { Workbench } from "./workbench.ts";

/** Orders an image from the palette, as a person does; by default at the size on top of the list. */
export async function orderImage(workbench: Workbench, prompt: string, size?: string): Promise<void> {
  await workbench.runCommand("Codex Gateway: Generate Image");
  await workbench.quickInput.answer("Generate an image", prompt);
  if (size === undefined) await workbench.quickInput.acceptFirst("Select the image size");
  else await workbench.quickInput.pick(size);
}
