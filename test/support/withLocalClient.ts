import { type LocalGateway, startGateway } from "./gateway/gateway.ts";
import { LocalClient } from "./localClient.ts";

/**
 * Hooks of a block of tests that ask one local gateway: each test gets a new client, and the gateway is reset after it.
 * Returns both, which are there while a test runs.
 */
export function withLocalClient(options?: Parameters<typeof startGateway>[0]): {
  readonly local: LocalGateway;
  readonly client: LocalClient;
} {
  let local: LocalGateway;
  let client: LocalClient;
  before(async () => {
    local = await startGateway(options);
  });
  beforeEach(() => {
    client = new LocalClient(local);
  });
  afterEach(async () => {
    await client.gateway.dispose();
    await local.reset();
  });
  after(() => local.close());
  return {
    get local() {
      return local;
    },
    get client() {
      return client;
    },
  };
}
