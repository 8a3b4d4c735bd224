// These share a window: opening one takes longer than most tests. The first needs the repository as it was created.
import "./gitWindow/sourceControl.test.ts";
import "./gitWindow/workspaceEdits.test.ts";
