import type { Fault } from "./types.ts";

/** An error answer, independent of its shape. Thrown to reject a request. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  /** The request field it is about. */
  readonly param: string | undefined;

  constructor(status: number, code: string, message: string, param?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** The error of a scripted status. */
export function refusalOf(fault: Fault, status: number): Refusal {
  return new Refusal(status, fault.code ?? "error", fault.message ?? `Status ${status}`);
}

/** Whether a status comes from a proxy in front of the gateway, which may have processed the request. */
export function isProxyStatus(status: number): boolean {
  return status === 502 || status === 504 || (status >= 520 && status <= 527) || status === 530;
}

/** The body of an error answer and its type: as OpenAI's API has it, or a page of a proxy. */
export function errorBody({ status, code, message, param }: Refusal): readonly [type: string, body: string] {
  if (isProxyStatus(status)) return ["text/html; charset=utf-8", page(`${status} ${message}`)];
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return ["application/json", JSON.stringify({ error: { message, type, param: param ?? null, code } })];
}

/** An error page like those of proxies. */
export function page(title: string): string {
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr><center>local-proxy</center></body></html>\n`;
}
