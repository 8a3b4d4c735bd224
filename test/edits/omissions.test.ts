import assert from "node:assert/strict";
import { isOmission } from "../../src/edits/change/flaws.ts";

const standIns = `
... | … | // ... | # ... | /* ... */ | <!-- ... --> | {/* ... */} | // ... existing code ...
# ... rest of the function | -- ... | // existing code | // rest of the code | // Rest of the implementation...
# existing code here | /* unchanged */ | // (unchanged) | // same as before |   // ... other methods ...
// remaining code unchanged | // 现有代码 | # 其余代码不变 | // … 省略 … | // --- snip --- | [rest of file unchanged]
(rest of the code unchanged) | <existing code> | // .. existing code .. | # rest stays the same
// The rest of the file remains unchanged. | -- == unchanged == | // …… | // ⋯ | // ... resto del código ...
... existing code ... | [... rest of file ...] | // implementation omitted for brevity | // other methods unchanged
// leave the rest unchanged | // 保留原有代码 | // 前面的代码不变 | // （其余代码不变）
// 其他方法保持不变 | // 以下代码不变 | // 省略其余代码
`;
const others = `
foo(...args); |   ...rest, | return [...a, ...b]; | // Waits until the rest of the file is read. | // Loading…
x = [...]; | // The existing code is kept by the caller. | # existing users are asked first | const more = 1;
...and so on... | ...rest, ...others | // the order is kept
// and so on | wait... | (unchanged) | <Rest /> | // --- Helpers --- | # rest of the arguments | [other, code]
// 以下三行打印结果 | // ...and then
`;
const linesOf = (text: string): readonly string[] => text.trim().split(/ \| |\n/);

describe("a line that stands for omitted code", () => {
  for (const isStandIn of [true, false]) {
    for (const line of isStandIn ? linesOf(standIns) : [...linesOf(others), ""]) {
      it(`is ${isStandIn ? "" : "not "}${JSON.stringify(line)}`, () => {
        assert.equal(isOmission(line), isStandIn);
      });
    }
  }
});
