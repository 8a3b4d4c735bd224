import assert from "node:assert/strict";
import fc from "fast-check";
import { posix, win32 } from "node:path";
import { folderSegments } from "../../../src/images/ask/folderPath.ts";

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
    ["images/C:/x", undefined],
    ["images:stream", undefined],
    [".. /x", undefined],
    ["docs/.. ./x", undefined],
    ["docs/.../x", undefined],
    ["docs/ .. /x", undefined],
    [" /x", undefined],
    ["images\0/x", undefined],
    ["images\n", undefined],
    [".images", [".images"]],
    ["..images", ["..images"]],
  ];
  for (const [path, segments] of cases) {
    it(`${segments ? `is ${segments.join("/") || "the workspace folder"}` : "is refused"} for ${JSON.stringify(path)}`, () => {
      assert.deepEqual(folderSegments(path), segments);
    });
  }

  it("is inside the workspace folder on every system, whatever the setting", () => {
    const parts = [
      "..",
      ".",
      "...",
      ".. ",
      " ",
      "/",
      "\\",
      "//",
      "~",
      "C:",
      ":",
      "\0",
      "\n",
      "a",
      "images",
      "%2e%2e",
      "狐",
    ];
    const path = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary", maxLength: 3 })), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(path, (written) => {
        const segments = folderSegments(written.join(""));
        if (segments === undefined) return;
        for (const system of [posix, win32]) {
          const { sep } = system;
          const root = sep === "/" ? "/w/root" : "C:\\w\\root";
          const way = system.relative(root, system.join(root, ...segments.map((segment) => windowsName(segment, sep))));
          assert.ok(way !== ".." && !way.startsWith(`..${sep}`) && !system.isAbsolute(way), way);
        }
      }),
      { seed: 11, numRuns: 20_000 },
    );
  });
});

/** A name as its system takes it. */
function windowsName(segment: string, sep: string): string {
  if (sep === "/") return segment;
  const name = segment.replace(/[. ]+$/, "");
  return name === "" ? ".." : name;
}
