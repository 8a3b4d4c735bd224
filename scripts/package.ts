import { packageExtension } from "./packageExtension.ts";
import { vsixPath } from "./paths.ts";

const size = await packageExtension();
console.log(`${vsixPath}: ${(size / 1024).toFixed(1)} KB`);
