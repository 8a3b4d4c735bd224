import { indentOf, isFilled } from "../../text/lines.ts";
import { type Fitter, longestText } from "./fit.ts";
import { isFlat, rebuilt } from "./flatLines.ts";
import { halfIndent, isTooDeep, lostIndent } from "./neighbors.ts";
import type { Place } from "./place.ts";
import { inFileStyle, usesTabs } from "./style.ts";
import { sureLines } from "./sureLines.ts";

type Reading = (indent: string) => string;
const same: Reading = (indent) => indent;

/** The answer with the indentation of the file, where the model lost or doubled it. */
export function fitIndents(answer: string, place: Place, fitter: Fitter): string {
  if (answer.length > longestText) return answer;
  const base = /^[ \t]*/.exec(place.linePrefix)?.[0] ?? "";
  const isBlank = place.linePrefix.trim() === "";
  const said = answer.split("\n");
  const near = place.linePrefix === "" ? (lostIndent(said, place, fitter) ?? halfIndent(said, place)) : undefined;
  if (near !== undefined) said[0] = near + (said[0] ?? "").trimStart();
  const [lines = [], ...others] = inFileStyle(said, isBlank, place, fitter.unit);
  const lead = lines[0]?.trim() === "" && !isBlank ? 1 : 0;
  const bases = new Set([base, isBlank ? indentOf(lines[0] ?? "") : "", indentOf(lines[lead] ?? "")]);
  const wanted = isBlank && base === "" ? expectedIndent(lines[0] ?? "", place, fitter) : undefined;
  if (wanted !== undefined) bases.add(wanted);
  const rests: Reading[] = [same];
  const step = usesTabs(place) ? "\t" : " ".repeat(fitter.unit);
  for (let one = step; one.length <= Math.max(base.length, 4 * step.length) && one.length < 80; one += step)
    bases.add(one);
  for (const one of bases) {
    if (one === "") continue;
    rests.push((indent) => one + indent);
    rests.push((indent) => (indent.startsWith(one) ? indent.slice(one.length) : indent));
  }
  rests.push((indent) => indent.slice(Math.ceil(indent.length / 2)));
  const firsts = isBlank ? firstLines(lines[0] ?? "", base, place, fitter) : [lines[0] ?? ""];
  if (place.syntax.layout === "none") {
    const second = indentOf(lines.slice(1).find(isFilled) ?? base);
    const isNext = lines[1]?.trim() !== "" && !/^(?:[)\]}]|end|fi\b|done\b|esac\b)/.test(lines[1] ?? "");
    const isDoubtful = isBlank && base !== "" && ((second === "" && isNext) || second === base + base);
    return isDoubtful ? (firsts[0] ?? "") : [firsts[0] ?? "", ...lines.slice(1)].join("\n");
  }
  // Directives of a preprocessor stand at the start of a line, however deep the code around them is.
  const hasDirectives = place.syntax.layout === "brackets" && !place.syntax.lineComments.includes("#");
  const isFixed = (line: string) => line.trim() === "" || (hasDirectives && line.startsWith("#"));
  const isLost = isFlat(lines) && (base !== "" || !isBlank || indentOf(lines[0] ?? "") === "");
  let plain: number | undefined;
  let best: { readonly text: string; readonly first: string; readonly cost: number } | undefined;
  const tried = new Set<string>();
  const least = fitter.isRegular || isTooDeep(lines[0] ?? "", place, fitter.unit) ? (isLost ? 0 : 1) : 2;
  const readings = [
    ...firsts.flatMap((first, at) => rests.map((read, order) => ({ first, read, style: lines, rank: at + order }))),
    ...others.map((style, at) => ({
      first: isBlank && base === "" ? (style[0] ?? "") : (firsts[0] ?? ""),
      read: same,
      style,
      rank: at + 1,
    })),
  ];
  for (const { first, read, style, rank } of readings) {
    const text = [
      first,
      ...style.slice(1).map((line) => (isFixed(line) ? line : read(indentOf(line)) + line.trimStart())),
    ].join("\n");
    if (tried.has(text)) continue;
    tried.add(text);
    // What the answer says is right unless something else fits clearly better.
    const faults = fitter.costNear(text);
    plain ??= faults;
    if (rank > 0 && plain - faults < (faults === 0 && base !== "" ? Math.min(least, 1) : least)) continue;
    const cost = faults * (rank === 0 && !isLost ? 0.6 : 1) + rank / 1_000;
    if (!best || cost < best.cost) best = { text, first, cost };
  }
  const found = best?.text ?? answer;
  const half = halfIndent(found.split("\n"), place);
  const text = half === undefined ? found : half + found.trimStart();
  const lostFirst = wanted === undefined ? (best?.first ?? "") : wanted + (lines[0] ?? "").trimStart();
  const whole = isLost && (best?.cost ?? 0) >= 1 ? (rebuilt(lines, lostFirst, fitter, place) ?? text) : text;
  const sure = sureLines(whole, isLost && base !== "", place, fitter);
  return sure.trim() === "" && !isLost ? whole : sure;
}

/** The first line as it may be meant: with the indentation that stands before the cursor or without. */
function firstLines(line: string, base: string, place: Place, fitter: Fitter): readonly string[] {
  const own = indentOf(line);
  const code = line.trimStart();
  if (base !== "") {
    const rest = own.startsWith(base) ? own.slice(base.length) : own;
    return [...new Set([code, rest + code, own + code])];
  }
  const wanted = expectedIndent(line, place, fitter) ?? own;
  const halved = own.slice(Math.ceil(own.length / 2));
  return [...new Set([own + code, wanted + code, halved + code])];
}

/** The indentation that a line at the cursor should have, in the file's tabs or spaces. */
function expectedIndent(line: string, place: Place, fitter: Fitter): string | undefined {
  const next = place.after.split("\n", 12).find((one, at) => at > 0 && one.trim() !== "") ?? "";
  // After a line of words, any level may follow, so that only the next line tells.
  if (place.syntax.layout === "words" && indentOf(line) === "" && !/^\s/.test(next)) return undefined;
  const width = expected(line, place, fitter);
  if (width === undefined || width < 0) return undefined;
  return usesTabs(place) ? "\t".repeat(Math.round(width / fitter.unit)) : " ".repeat(width);
}

function expected(line: string, place: Place, fitter: Fitter): number | undefined {
  const last = place.before.slice(-4_096).trimEnd().split("\n").at(-1) ?? "";
  const width = indentOf(last).length;
  // An operator under the same operator goes on with the same expression.
  const start = line.trimStart()[0] ?? "";
  if ("|?:.&+".includes(start) && last.trimStart().startsWith(start)) return width;
  const known = fitter.scanner().expectedIndent(line.trimStart());
  if (known !== undefined || place.syntax.layout === "brackets") return known;
  return last.endsWith(":") ? width + fitter.unit : width;
}
