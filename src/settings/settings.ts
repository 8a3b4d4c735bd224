import type { WorkspaceConfiguration } from "vscode";
import type { GatewaySettings } from "../gateway/types.ts";
import { prefix, settingDefaults, type SettingName } from "../manifest.ts";
import { asObject } from "../base/json.ts";
import { quote } from "../text/safeText.ts";
import { mergeModels, modelId } from "./modelSettings.ts";
import { readPrices } from "./prices.ts";

/** A snapshot of all settings that the extension reads. */
export interface Settings extends Readonly<ReturnType<typeof valuesIn>> {
  /** Limits of input tokens by model id that the gateway has reported in this session. Already applied to `models`. */
  readonly learnedInputTokens?: ReadonlyMap<string, number>;
}

/** The user's budgets. */
export type Budget = Settings["budget"];

type TextSetting = {
  [Name in SettingName]: (typeof settingDefaults)[Name] extends string ? Name : never;
}[SettingName];

/** Maximum length of a text setting, in characters. */
const maxLength = 10_000;

/** Maximum length of the name of a language, in characters. */
const maxLanguage = 60;

/** Width and height of an image, in pixels. */
export const imageSizePattern = /^[1-9]\d{1,4}x[1-9]\d{1,4}$/;

/** The part of a configuration that is used here. */
type Reader = Pick<WorkspaceConfiguration, "get">;

/** Reads the extension's settings, `image.*` for a scope, and `http`. Invalid values count as not set. */
export function readSettings<Scope>(
  getConfiguration: (section: string, scope: Scope | null) => Reader,
  scope?: Scope,
): Settings {
  // VS Code warns about a folder's setting read without a scope, and a window's setting read with one, but never for
  // `null` (extHostConfiguration.ts, VS Code 1.139.1).
  const own = getConfiguration(prefix, null);
  const ofScope = getConfiguration(prefix, scope ?? null);
  const http = getConfiguration("http", null);
  return valuesIn(own, ofScope, http);
}

function valuesIn(own: Reader, ofScope: Reader, http: Reader) {
  const text = (name: TextSetting, from = own): string =>
    textOr(from.get(name), settingDefaults[name]).trim().slice(0, maxLength);
  const amount = (name: SettingName): number => {
    const value = own.get<unknown>(name);
    return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
  };
  const size = text("image.size", ofScope);
  const chatModel = modelId(text("chat.model")) || settingDefaults["chat.model"];
  return {
    baseUrl: text("baseUrl"),
    backupBaseUrl: text("backupBaseUrl"),
    allowInsecureHttp: own.get("allowInsecureHttp") === true,
    certificateFile: text("certificateFile"),
    /** Program and arguments that print the key of a group; empty if none is set. */
    keyCommands: { codex: commandOf(own.get("keyCommand.codex")), image: commandOf(own.get("keyCommand.image")) },
    /** How long a printed key without an expiry of its own is used, in milliseconds. */
    keyLifetime: 1000 * (amount("keyCommand.ttl") || settingDefaults["keyCommand.ttl"]),
    streaming: oneOf(["auto", "off"], text("streaming")),
    toolCalling: oneOf(["auto", "off"], text("toolCalling")),
    chatModel,
    chatApi: oneOf(["auto", "responses", "chatCompletions"], text("chat.api")),
    /** Whether `@codex` finds files for a question without attachments. */
    findsContext: own.get("chat.findContext") !== false,
    inlineChatModel: modelId(text("inlineChat.model")) || chatModel,
    /** Whether inline chat applies a complete change automatically or only when the user selects Apply. */
    inlineChatApply: oneOf(["ask", "automatically"], text("inlineChat.apply")),
    commitMessageModel: modelId(text("commitMessage.model")) || settingDefaults["commitMessage.model"],
    /** The language of commit messages; empty for that of the repository. */
    commitMessageLanguage: quote(text("commitMessage.language"), maxLanguage),
    reviewModel: modelId(text("review.model")) || chatModel,
    completionsMode: oneOf(["off", "onDemand", "automatic"], text("completions.mode")),
    completionsModel: modelId(text("completions.model")) || settingDefaults["completions.model"],
    /** Maximum requests for completions in an hour. */
    completionsMaxPerHour: amount("completions.maxPerHour") || settingDefaults["completions.maxPerHour"],
    /** Languages, by id, in which there are no completions. */
    languagesWithoutCompletions: switchedOff(own.get("completions.languages")),
    /** The text models, including those from the setting `models`. */
    models: mergeModels(own.get("models")),
    /** Image size: `ask`, `auto` (the gateway chooses) or `<width>x<height>`. */
    imageSize: size === "ask" || size === "auto" || imageSizePattern.test(size) ? size : settingDefaults["image.size"],
    imageFolder: text("image.folder", ofScope),
    prices: readPrices(own.get("prices")),
    /** 0 for none. Costs are in the currency of the prices. */
    budget: {
      dailyTokens: amount("budget.dailyTokens"),
      monthlyTokens: amount("budget.monthlyTokens"),
      dailyCost: amount("budget.dailyCost"),
      monthlyCost: amount("budget.monthlyCost"),
    },
    proxy: readProxy(http),
  };
}

/** The client's part of the settings. The client forgets what it has learned when this part changes. */
export function gatewaySettings(settings: Settings): GatewaySettings {
  const { baseUrl, backupBaseUrl, allowInsecureHttp, streaming, toolCalling, proxy, certificateFile } = settings;
  return { baseUrl, backupBaseUrl, allowInsecureHttp, streaming, toolCalling, proxy, certificateFile };
}

/** A program and its arguments; empty unless all are texts. */
function commandOf(value: unknown): readonly string[] {
  const words = textsOf(value);
  return Array.isArray(value) && words.length === value.length && words[0] !== "" ? words : [];
}

function readProxy(http: Reader): GatewaySettings["proxy"] {
  const isOff = http.get("proxySupport") === "off";
  return {
    url: isOff ? "" : textOr(http.get("proxy"), "").trim().slice(0, maxLength),
    noProxy: isOff ? ["*"] : textsOf(http.get("noProxy")),
    strictSsl: http.get("proxyStrictSSL") !== false,
    authorization: textOr(http.get("proxyAuthorization"), "").slice(0, maxLength),
  };
}

/** The value if it is one of the choices; otherwise, the first choice. */
function oneOf<Choice extends string>(choices: readonly [Choice, ...Choice[]], value: string): Choice {
  return choices.find((choice) => choice === value) ?? choices[0];
}

function switchedOff(value: unknown): ReadonlySet<string> {
  const languages = Object.entries(asObject(value) ?? {}).filter(([, isOn]) => isOn === false);
  return new Set(languages.map(([language]) => language));
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
