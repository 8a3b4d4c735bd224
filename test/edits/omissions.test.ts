import assert from "node:assert/strict";
import { isOmission } from "../../src/edits/change/flaws.ts";

describe("a line that stands for code", () => {
  const standIns = [
    ..."...|…|// ...|# ...|/* ... */|<!-- ... -->|{/* ... */}|// ... existing code ...|# ... rest of the function|-- ...".split(
      "|",
    ),
    ..."// existing code|// rest of the code|// Rest of the implementation...|# existing code here|/* unchanged */|// (unchanged)".split(
      "|",
    ),
    ..."// same as before|  // ... other methods ...|// remaining code unchanged|// 现有代码|# 其余代码不变|// … 省略 …".split(
      "|",
    ),
    ..."// --- snip ---|[rest of file unchanged]|(rest of the code unchanged)|<existing code>|// .. existing code ..|# rest stays the same|// The rest of the file remains unchanged.|-- == unchanged ==".split(
      "|",
    ),
  ];
  for (const line of standIns) {
    it(`is ${JSON.stringify(line)}`, () => {
      assert.ok(isOmission(line));
    });
  }

  const others = [
    ..."foo(...args);|  ...rest,|return [...a, ...b];|// Waits until the rest of the file is read.|// Loading…|x = [...];".split(
      "|",
    ),
    ..."// The existing code is kept by the caller.|# existing users are asked first|const more = 1;|// and so on|wait...|(unchanged)|<Rest />|// --- Helpers ---|# rest of the arguments|[other, code]|".split(
      "|",
    ),
  ];
  for (const line of others) {
    it(`is not ${JSON.stringify(line)}`, () => {
      assert.ok(!isOmission(line));
    });
  }
});
