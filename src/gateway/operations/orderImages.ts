import type { JsonObject } from "../../text/json.ts";
import { GatewayError } from "../errors.ts";
import { imageModel } from "../models.ts";
import type { ImageAnswer, ImageRequest } from "../types.ts";
import { readUsage } from "../wire/answerReader.ts";
import { readImageSources } from "../wire/imageSources.ts";
import { readObject } from "../wire/wholeObject.ts";
import { Attempt } from "./attempt.ts";
import { type AttemptPlan, type OperationContext, runOperation } from "./runOperation.ts";

/** Orders images. Makes at most one POST that may have been processed; see `mayBeCharged`. */
export function orderImages(context: OperationContext, { prompt, size }: ImageRequest): Promise<ImageAnswer> {
  const body = { model: imageModel, prompt, ...(size !== undefined && { size }) };
  return runOperation(context, (attempt) => order(context, body, attempt));
}

async function order(context: OperationContext, body: JsonObject, attempt: AttemptPlan): Promise<ImageAnswer> {
  const { shared, operation, feature, signal, observe } = context;
  const path = "/images/generations";
  const call = new Attempt(shared, { operation, path, body, attempt, feature, signal, observe });
  try {
    const answer = await call.send();
    const { json, piecesOf } = await readObject(answer, { clean: call.clean, onRead: call.touch });
    const images = await readImageSources(json.data, piecesOf).catch((cause: unknown) => {
      if (answer.status !== 202) throw cause;
      const message = "The gateway took the order, but sent no image.";
      throw new GatewayError("unreadable", message, { cause, status: answer.status, sent: "maybe" });
    });
    call.succeed();
    shared.breaker.record(attempt.entry.name, context.model, "whole");
    const usage = readUsage(json.usage);
    shared.onUse({ ...call.topic, usage, images: images.length });
    return { images, usage, entry: attempt.entry.name, requestId: call.requestId };
  } catch (error) {
    throw call.fail(error);
  }
}
