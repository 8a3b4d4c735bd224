import assert from "node:assert/strict";
import { folderSegments } from "../../src/images/folderPath.ts";

describe("the image folder", () => {
  const cases: readonly (readonly [string, readonly string[] | undefined])[] = [
    ["images", ["images"]],
    ["", []],
    [".", []],
    ["./docs//images/", ["docs", "images"]],
    ["docs\\images", ["docs", "images"]],
    ["docs/../images", ["images"]],
    ["图像", ["图像"]],
    ["..", undefined],
    ["../images", undefined],
    ["docs/../../images", undefined],
    ["docs\\..\\..\\images", undefined],
    ["/images", undefined],
    ["\\\\server\\images", undefined],
    ["C:/images", undefined],
    ["c:images", undefined],
    ["~/images", undefined],
  ];
  for (const [path, segments] of cases) {
    it(`${segments ? `is ${segments.join("/") || "the workspace folder"}` : "is refused"} for ${JSON.stringify(path)}`, () => {
      assert.deepEqual(folderSegments(path), segments);
    });
  }
});
