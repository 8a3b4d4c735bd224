import type { AnswerPart, ChatRequest, Gateway } from "../../src/gateway/types.ts";
import { guardGateway } from "../../src/reading/guardedGateway.ts";
import { WindowSecrets } from "../../src/text/secrets/windowSecrets.ts";

/** A gateway whose answers a function gives, in the pieces that it gives them in. */
export function gatewayThat(
  answer: (request: ChatRequest) => string | Iterable<AnswerPart>,
): Pick<Gateway, "ask" | "generateImage"> {
  return {
    async *ask(request): AsyncGenerator<AnswerPart, undefined> {
      const parts = await Promise.resolve(answer(request));
      yield* typeof parts === "string" ? [{ type: "text", text: parts } as const] : parts;
      yield { type: "finish", reason: "stop" };
    },
    generateImage: ({ prompt }) => Promise.reject(new Error(prompt)),
  };
}

/** A gateway that can do nothing else. */
export function wholeGateway(gateway: Pick<Gateway, "ask" | "generateImage">): Gateway {
  return {
    downloadImage: () => Promise.reject(new Error("Nothing is downloaded.")),
    probe: () => Promise.resolve([]),
    preconnect: () => undefined,
    dispose: () => Promise.resolve(),
    ask: (...args) => gateway.ask(...args),
    generateImage: (...args) => gateway.generateImage(...args),
  };
}

/** The only way to a gateway, and the secrets that it knows of. */
export function guarded(gateway: Pick<Gateway, "ask" | "generateImage">): {
  readonly gateway: Gateway;
  readonly secrets: WindowSecrets;
} {
  const secrets = new WindowSecrets();
  return { gateway: guardGateway(wholeGateway(gateway), secrets), secrets };
}

/** The placeholders in a text, in their order. */
export function placeholdersIn(text: string): readonly string[] {
  return text.match(/\[secret \d{6} removed\]/g) ?? [];
}

/** The parts of a secret that say something about it: a short one as a whole, of a long one all of twelve characters. */
export function tellingParts(secret: string): readonly string[] {
  return secret
    .split("\n")
    .flatMap((line) =>
      line.length < 24 ? [line] : Array.from({ length: line.length - 11 }, (_, at) => line.slice(at, at + 12)),
    );
}
