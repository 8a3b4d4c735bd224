import type { Workbench } from "./workbench.ts";

/** Unfolds the view of the workspace's images unless it is unfolded. */
export async function openImagesView({ page }: Workbench): Promise<void> {
  const header = page.locator(".pane-header", { hasText: "Codex Images" });
  if ((await header.getAttribute("aria-expanded")) !== "true") await header.click();
}
