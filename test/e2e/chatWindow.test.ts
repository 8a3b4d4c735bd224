// These share a window: opening one takes longer than most tests. The first begins without any usage.
import "./chatWindow/usage.test.ts";
import "./chatWindow/chat.test.ts";
import "./chatWindow/accessibility.test.ts";
import "./chatWindow/images.test.ts";
