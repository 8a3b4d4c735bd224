import { packageExtension } from "./host/packageExtension.ts";
import { vsixPath } from "./host/paths.ts";

const size = await packageExtension();
console.log(`${vsixPath}: ${(size / 1024).toFixed(1)} KB`);
