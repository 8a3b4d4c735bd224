import type { EntryName } from "../../../src/gateway/types.ts";
import { isGatewayState, isRecordedRequests } from "./check.ts";
import type { Fault, GatewayState, ImageHostFault, ImageHostModes, Modes, RecordedRequest, Script } from "./types.ts";
import { until } from "./until.ts";

type Done = Promise<void>;

/** A local gateway in another process. The same verbs as `LocalGateway`, each of them a promise. */
export interface GatewayControl {
  /** Addresses, keys and the number of held answers. */
  state(): Promise<GatewayState>;
  /** The requests to both entries, in the order of arrival. */
  requests(): Promise<readonly RecordedRequest[]>;
  /** The requests to the image host. */
  downloads(): Promise<readonly RecordedRequest[]>;
  entry(name: EntryName): Script<Fault, Modes, Done>;
  readonly imageHost: Script<ImageHostFault, ImageHostModes, Done>;
  /** Sets modes of both entries. */
  mode(modes: Partial<Modes>): Done;
  /** Lets go of the answers held longest: `count` of them, or all. */
  release(count?: number): Done;
  /** Waits until the requests are as wished; rejects after `timeout` milliseconds, by default 5000. */
  until(isReached: (requests: readonly RecordedRequest[], held: number) => boolean, timeout?: number): Done;
  stopEntry(name: EntryName): Done;
  startEntry(name: EntryName): Done;
  /** Forgets requests and faults, lets go of held answers, goes back to the first modes and opens both entries. */
  reset(): Done;
}

/** Talks to the control of a local gateway at `url`. */
export function connectControl(url: string): GatewayControl {
  const ask = (command: string, fields: object = {}): Promise<unknown> => post(`${url}/${command}`, fields);
  const tell = async (command: string, fields: object = {}): Done => {
    await ask(command, fields);
  };
  const script = <F, M>(entry: EntryName | "imageHost"): Script<F, M, Done> => ({
    next: (count, fault) => tell("next", { entry, count, fault }),
    always: (fault) => tell("always", { entry, fault }),
    mode: (modes) => tell("mode", { entry, modes }),
  });
  const records = async (command: "requests" | "downloads"): Promise<readonly RecordedRequest[]> => {
    const answer = await ask(command);
    if (isRecordedRequests(answer)) return answer;
    throw new Error(`The control of the local gateway sent no records: ${JSON.stringify(answer)}`);
  };
  const control: GatewayControl = {
    async state() {
      const answer = await ask("state");
      if (isGatewayState(answer)) return answer;
      throw new Error(`The control of the local gateway sent no state: ${JSON.stringify(answer)}`);
    },
    requests: () => records("requests"),
    downloads: () => records("downloads"),
    entry: (name) => script(name),
    imageHost: script("imageHost"),
    mode: (modes) => tell("mode", { modes }),
    release: (count) => tell("release", { count }),
    until: (isReached, timeout = 5000) =>
      until(async () => isReached(await control.requests(), (await control.state()).held), timeout, String(isReached)),
    stopEntry: (entry) => tell("stopEntry", { entry }),
    startEntry: (entry) => tell("startEntry", { entry }),
    reset: () => tell("reset"),
  };
  return control;
}

async function post(url: string, fields: object): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(fields) });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  throw new Error(`The control of the local gateway refused ${url}: ${JSON.stringify(answer)}`);
}
