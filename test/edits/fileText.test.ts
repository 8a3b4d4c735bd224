import { FileText } from "../../src/edits/change/fileText.ts";
import { each } from "../support/each.ts";

describe("a file with changed lines", () => {
  each<[text: string, edit: readonly [number, number, ...string[]]], string>([
    ["keeps LF", "a\nb\nc\n", [1, 2, "x", "y"], "a\nx\ny\nc\n"],
    ["keeps CRLF", "a\r\nb\r\n", [1, 2, "x", "y"], "a\r\nx\r\ny\r\n"],
    ["keeps CR", "a\rb\r", [0, 1, "x"], "x\rb\r"],
    ["keeps the endings of lines it does not change", "a\r\nb\nc\r\nd\n", [2, 3, "x"], "a\r\nb\nx\r\nd\n"],
    ["ends new lines like those they replace", "a\r\nb\nc\n", [1, 2, "x", "y"], "a\r\nx\ny\nc\n"],
    ["ends new lines like those before", "a\r\nb\nc\n", [1, 1, "x"], "a\r\nx\r\nb\nc\n"],
    ["keeps a byte order mark", "\ufeffa\nb\n", [0, 1, "x"], "\ufeffx\nb\n"],
    ["keeps a byte order mark of a file that becomes empty", "\ufeffa\n", [0, 1], "\ufeff"],
    ["stays without a final newline", "a\nb", [1, 2, "x"], "a\nx"],
    ["stays without a final newline when lines are added at its end", "a\r\nb", [2, 2, "x"], "a\r\nb\r\nx"],
    ["stays without a final newline when its last line is deleted", "a\nb", [1, 2], "a"],
    ["keeps its final newline when its last line is deleted", "a\nb\n", [1, 2], "a\n"],
    ["gets a final newline if it was empty", "", [0, 0, "a", "b"], "a\nb\n"],
    ["can be added to at its start", "a\n", [0, 0, "x"], "x\na\n"],
    ["can become empty", "a\nb\n", [0, 2], ""],
    ["may have blank lines at its end", "a\n\n", [0, 1, "x"], "x\n\n"],
  ]).gives((text, [start, end, ...lines]) => new FileText(text).replace([{ start, end, lines }]));
});
