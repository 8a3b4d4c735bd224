// These share a window: opening one takes longer than most tests.
import "./editorWindow/inlineChat.test.ts";
import "./editorWindow/completions.test.ts";
