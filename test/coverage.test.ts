import assert from "node:assert/strict";
import { describe, it } from "mocha";
import manifest from "../package.json" with { type: "json" };
import { readNotes } from "./support/host/notes.ts";

/** What no end-to-end test reaches, and why that is enough. */
const unreached: Readonly<Record<string, string>> = {
  "setting codexGateway.allowInsecureHttp":
    "Set Up writes it where plain http is allowed; unit tests write and read it",
  "setting codexGateway.certificateFile": "the client's tests read such files for servers of their own",
};

/** Runs after the end-to-end tests, on what their extension hosts have noted. */
describe("the end-to-end tests", () => {
  const { commands, configuration, views } = manifest.contributes;
  const contributed = [
    ...commands.map(({ command }) => `command ${command}`),
    ...Object.keys(configuration.properties).map((id) => `setting ${id}`),
    ...Object.values(views).flatMap((list) => list.map(({ id }) => `view ${id}`)),
  ];

  it("run every command, set every setting and show every view, or it is said why not", () => {
    const reached = new Set(readNotes().map((note) => note.join(" ")));
    assert.deepEqual(
      contributed.filter((one) => !reached.has(one)),
      Object.keys(unreached),
    );
  });
});
