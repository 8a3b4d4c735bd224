import assert from "node:assert/strict";
import { createGateway } from "../../src/gateway/client.ts";
import { KeyGuard } from "../../src/settings/keyGuard.ts";
import { Keys } from "../../src/settings/keys.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { failureOf, partsOf, question } from "../support/localClient.ts";
import { memorySecrets } from "../support/memorySecrets.ts";
import { plainSettings } from "../support/plainSettings.ts";

/** Another extension, or the definition of a dev container, has written the entries. */
describe("entries that somebody else has set", () => {
  const stack = new AsyncDisposableStack();
  let own: LocalGateway;
  let stranger: LocalGateway;
  let questions: string[] = [];
  before(async () => {
    own = stack.use(await startGateway());
    stranger = stack.use(await startGateway());
  });
  beforeEach(async () => {
    questions = [];
    await Promise.all([own.reset(), stranger.reset()]);
  });
  after(() => stack.disposeAsync());

  it("get no request, for text or an image, without a yes", async () => {
    await using client = await clientOf(stranger.primary.url, stranger.backup.url);
    const text = client.gateway.ask(question("Hello"), new AbortController().signal);
    const image = client.gateway.generateImage({ prompt: "a key", size: undefined }, new AbortController().signal);
    for (const order of [partsOf(text), image]) assert.equal((await failureOf(order)).kind, "keyNotAllowed");
    assert.ok(questions.length >= 2);
    assert.deepEqual([...stranger.requests], []);
  });

  it("get no request as a backup either, when the own primary fails", async () => {
    own.entry("primary").always({ status: 529 });
    await using client = await clientOf(own.primary.url, stranger.backup.url);
    await failureOf(partsOf(client.gateway.ask(question("Hello"), new AbortController().signal)));
    assert.deepEqual([...stranger.requests], []);
  });

  /** A client whose keys were entered for the own gateway, and whose user says no. */
  async function clientOf(baseUrl: string, backupBaseUrl: string) {
    const keys = new Keys(memorySecrets(), {});
    const origins = [own.primary.url, own.backup.url].map((url) => new URL(url).origin);
    for (const group of ["codex", "image"] as const) await keys.store(group, own.keys[group], origins);
    const guard = new KeyGuard({
      keys,
      environment: {},
      entries: () => [baseUrl, backupBaseUrl].map((url) => new URL(url).origin),
      confirm: ({ origin }) => {
        questions.push(origin);
        return Promise.resolve(false);
      },
    });
    const settings = { ...plainSettings, baseUrl, backupBaseUrl };
    const options = { settings: () => settings, key: guard.key.bind(guard) };
    const gateway = createGateway(options, { random: () => 0 });
    return { gateway, [Symbol.asyncDispose]: () => gateway.dispose() };
  }
});
