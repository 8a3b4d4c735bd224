import { unlessAborted } from "../gateway/abort.ts";
import type { KeyUse } from "../gateway/types.ts";
import { asObject, parseJson } from "../base/json.ts";

/** A program and its arguments; empty if none is set. */
export type Command = readonly string[];

/** Dependencies of a key command. Times are in milliseconds. */
export interface KeyCommandOptions {
  readonly command: () => Command;
  /** How long a key is used that does not say when it expires. */
  readonly lifetime: () => number;
  /** Since the epoch. */
  readonly now: () => number;
  /** Runs the command until the signal aborts, and returns the key that it printed: `printKey`. Throws what prevents it. */
  readonly print: (command: Command, options: { readonly signal: AbortSignal }) => Promise<string>;
}

/** A key that was printed. Times are in milliseconds since the epoch. */
interface Printed {
  readonly key: string;
  /** The command as JSON. */
  readonly by: string;
  readonly printedAt: number;
  readonly expiresAt: number;
}

/** A command that is running, and how many wait for its key. It is stopped when nobody does. */
interface Run {
  readonly by: string;
  readonly printed: Promise<Printed>;
  readonly stopping: AbortController;
  waiting: number;
}

/** A key is renewed this long before it expires: a tenth of its life, but at most this. */
const maxMargin = 60_000;

/**
 * A key that a command prints. It is kept in memory only, for as long as it says itself (`exp` of a JSON Web Token,
 * RFC 7519, 4.1.4), or else for the time in the settings. The command runs once for all requests that wait.
 */
export class KeyCommand {
  readonly #options: KeyCommandOptions;
  #printed: Printed | undefined;
  #running: Run | undefined;
  /** The last run, if it failed. */
  #failure: { readonly by: string; readonly cause: unknown } | undefined;

  constructor(options: KeyCommandOptions) {
    this.#options = options;
  }

  isSet(): boolean {
    return this.#options.command().length > 0;
  }

  /** The program and its arguments, as they are set now. */
  get command(): Command {
    return this.#options.command();
  }

  /** Tells this command from others, without its text, which can have a password among its arguments. */
  get id(): string {
    // Loaded here, because activation loads nothing of Node.js.
    return process.getBuiltinModule("node:crypto").hash("sha256", this.#by());
  }

  /**
   * The key. `refused` is one that the gateway has refused, which is not returned again without asking the command. A
   * command that failed is not run again for a request that `isUnasked`: it may ask for a fingerprint each time. Throws
   * the reason of `signal` when that aborts.
   */
  async key({ refused, isUnasked = false, signal }: KeyUse = {}): Promise<string> {
    const by = this.#by();
    const failure = isUnasked && this.#failure?.by === by ? this.#failure : undefined;
    const printed = this.#printed?.by === by && this.#printed.key !== refused ? this.#printed : undefined;
    const now = this.#options.now();
    if (printed === undefined || now >= printed.expiresAt) {
      if (failure) throw failure.cause;
      return (await this.#run(by, signal)).key;
    }
    const margin = Math.min(maxMargin, (printed.expiresAt - printed.printedAt) / 10);
    // Nobody waits for this one. If it fails, the question for which no key is left tells why.
    if (now >= printed.expiresAt - margin && !failure) this.#run(by).catch(() => undefined);
    return printed.key;
  }

  /** Runs the command now. */
  async renew(signal?: AbortSignal): Promise<void> {
    await this.#run(this.#by(), signal);
  }

  #by(): string {
    return JSON.stringify(this.command);
  }

  async #run(by: string, signal?: AbortSignal): Promise<Printed> {
    signal?.throwIfAborted();
    const run = this.#running?.by === by ? this.#running : this.#start(by);
    run.waiting += 1;
    try {
      return await (signal ? unlessAborted(run.printed, signal) : run.printed);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) {
        if (this.#running === run) this.#running = undefined;
        run.stopping.abort();
      }
    }
  }

  #start(by: string): Run {
    const stopping = new AbortController();
    const run = { by, stopping, printed: this.#print(by, stopping.signal), waiting: 0 };
    this.#running = run;
    return run;
  }

  async #print(by: string, signal: AbortSignal): Promise<Printed> {
    const { command, lifetime, now, print } = this.#options;
    this.#failure = undefined;
    const key = await print(command(), { signal }).catch((cause: unknown) => {
      if (!signal.aborted) this.#failure = { by, cause };
      throw cause;
    });
    const printedAt = now();
    const expiresAt = expiryOf(key);
    // One that is expired already, by a clock that is fast, would have the command run for each request.
    const isFresh = expiresAt !== undefined && expiresAt > printedAt;
    this.#printed = { key, by, printedAt, expiresAt: isFresh ? expiresAt : printedAt + lifetime() };
    return this.#printed;
  }
}

/** When a JSON Web Token expires; `undefined` for other keys, and for tokens that do not say so. */
function expiryOf(key: string): number | undefined {
  const [, payload, ...rest] = key.split(".");
  if (payload === undefined || rest.length !== 1) return undefined;
  const { exp } = asObject(parseJson(Buffer.from(payload, "base64url").toString("utf8"))) ?? {};
  return typeof exp === "number" && Number.isFinite(exp) ? exp * 1000 : undefined;
}
