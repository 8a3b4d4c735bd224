import { succeeded, until } from "./until.ts";
import type { Workbench } from "./workbench.ts";

/** Unfolds the view of the workspace's images unless it is unfolded. */
export async function openImagesView({ page }: Workbench): Promise<void> {
  const header = page.locator(".pane-header", { hasText: "Codex Images" });
  const unfolded = header.and(page.locator("[aria-expanded='true']"));
  await header.waitFor();
  await until("the view of the images to unfold", async () => {
    if ((await unfolded.count()) > 0) return true;
    await succeeded(header.click({ timeout: 3_000 }));
    return succeeded(unfolded.waitFor({ timeout: 3_000 }));
  });
}
