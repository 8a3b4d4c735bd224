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
  const setup = {} as { local: LocalGateway; client: LocalClient };
  before(async () => {
    setup.local = await startGateway(options);
  });
  beforeEach(() => {
    setup.client = new LocalClient(setup.local);
  });
  afterEach(async () => {
    await setup.client.gateway.dispose();
    await setup.local.reset();
  });
  after(() => setup.local.close());
  return setup;
}
