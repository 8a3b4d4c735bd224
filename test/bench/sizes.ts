import { maxSize, packageExtension } from "../../scripts/packageExtension.ts";
import { bundleSize } from "./bundleSize.ts";
import { type Group, row } from "./rows.ts";

/** What is loaded before anybody asks for anything, of all there is, and the package. */
export const sizes: Group = async () => {
  const all = await bundleSize("extension", "features", "client");
  return [
    row("loaded at activation, vs all bundles", "KB", [await bundleSize("extension")], [all]),
    row("the VSIX, vs the limit", "KB", [(await packageExtension()) / 1024], [maxSize / 1024], 1),
  ];
};
