// A duel in words: who has won by how much, and which agents they were.

import type { DuelPlan } from "../../core/duel/duel";
import type { Paired } from "../../core/duel/paired";
import type { Restored } from "../../core/duel/restore";
import { formatCount, formatInteger, minus, sentenceStart } from "../../core/format";

/** One side of a duel. */
export interface Side {
  /** “The first agent”. */
  title: string;
  /** Where it comes from: “the open run, iteration 40”. */
  origin: string;
  /** How sure it is that it is the agent of its link; null for the open run. */
  restored: Restored | null;
}

export const TITLES = ["The first agent", "The second agent"] as const;

/** A number with the digits that matter. It is never minus zero. */
export function numberText(n: number, digits: number): string {
  if (!Number.isFinite(n)) return "–";
  const text = n.toFixed(digits);
  return minus(Number(text) === 0 ? (0).toFixed(digits) : text);
}

/**
 * A margin is rounded up, so that the text never claims more than was measured. The subtracted 1e-6 keeps rounding
 * errors of the multiplication from adding a digit to a margin such as 0.1.
 */
const marginText = (margin: number, digits: number): string =>
  (Math.ceil(margin * 10 ** digits - 1e-6) / 10 ** digits).toFixed(digits);

/** More digits than any result needs. */
const MAX_DIGITS = 12;

/**
 * How many digits after the point a result is shown with: those of the plan, or more where rounding would hide that the
 * interval of a lead does not contain 0.
 */
export function digitsOf({ lead, margin }: Paired, digits: number): number {
  const size = Math.abs(lead);
  const hides = (count: number) =>
    Number(size.toFixed(count)) <= Number(marginText(margin, count)) || Number((size - margin).toFixed(count)) === 0;
  let shown = digits;
  if (size > margin) while (shown < MAX_DIGITS && hides(shown)) shown++;
  return shown;
}

type PlanWords = Pick<DuelPlan, "unit" | "digits" | "lead" | "counts" | "wonCounts">;

/** Who has won. A lead that chance could explain is called no win. */
export function verdict(result: Paired, { unit, digits: least, counts, lead: leadWords }: PlanWords): string {
  const { tasks, lead, margin, isChance } = result;
  if (lead === 0 && margin === 0)
    return `A draw: both had the same result in each of the ${formatInteger(tasks)} ${counts}.`;
  const digits = digitsOf(result, least);
  const ahead = TITLES[lead > 0 ? 0 : 1];
  const number = numberText(Math.abs(lead), digits);
  const by = `${leadWords(number)} on average, give or take ${marginText(margin, digits)}`;
  if (!isChance) return `${ahead} wins with ${by}.`;
  return Number(number) === 0
    ? `No winner. Both are level, give or take ${marginText(margin, digits)} ${unit}.`
    : `No winner. ${ahead} is ahead with ${by}, which chance could explain.`;
}

/** What “give or take” means, and why it is a win or none. */
export function intervalWords(result: Paired, { unit, digits }: PlanWords): string {
  const { lead, margin, isChance } = result;
  if (!(margin > 0)) return "";
  const size = Math.abs(lead);
  const [low = "", high = ""] = [size - margin, size + margin].map((each) =>
    numberText(each, digitsOf(result, digits)),
  );
  const interval = `${TITLES[lead < 0 ? 1 : 0]}'s lead could as well be anything from ${low} to ${high} ${unit} (95 % interval), because other tasks would have given another result.`;
  if (size <= margin) return `${interval} It contains 0, so this is no win.`;
  return isChance
    ? `${interval} It does not contain 0, but a second test (a randomisation test) finds that equally good agents would differ this much in more than 5 of 100 duels, so this is no win.`
    : `${interval} It does not contain 0, so this is a win.`;
}

/** The rows of the table: who, mean result, and how often it was better. */
export function rowsOf(sides: readonly Side[], result: Paired, { digits }: PlanWords): string[][] {
  const { means, won } = result;
  return sides.map(({ title, origin }, i) => [
    `${title} (${origin})`,
    numberText(means[i] as number, digitsOf(result, digits)),
    formatInteger(won[i] as number),
  ]);
}

/** The heads of these columns. */
export function headsOf({ unit, counts, wonCounts }: PlanWords): string[] {
  return ["Agent", `Mean ${unit}`, sentenceStart(wonCounts ? `${wonCounts} won` : `${counts} in which it was better`)];
}

/** What has to be said of an agent that may not be the one of its link; null for nothing. */
export function remark({ title, restored }: Side): string | null {
  switch (restored) {
    case "otherRounding":
      return `${title} is not exactly the one of its link: this browser rounds numbers in another way than the sender's, so the replayed agent differs a little or a lot.`;
    case "different":
      return `${title} is not exactly the one of its link: its checksum (fingerprint) differs. Somebody has edited the link, or another version of Learnery has made it.`;
    case "unchecked":
      return `${title} could not be compared with its sender's, because its link has no checksum (fingerprint).`;
    default:
      return null;
  }
}

/** The result as a text to send. */
export function resultText(
  sides: readonly Side[],
  result: Paired,
  plan: PlanWords & Pick<DuelPlan, "rule">,
  link: string | null,
): string {
  const heads = headsOf(plan);
  const rows = rowsOf(sides, result, plan).map(([who = "", mean = "", won = ""]) =>
    [who, `${mean} ${plan.unit} on average`, `${(heads[2] ?? "").toLowerCase()}: ${won}`].join("; "),
  );
  const lines = [
    "A duel in Learnery",
    ...rows,
    verdict(result, plan),
    intervalWords(result, plan),
    plan.rule,
    ...sides.map(remark),
    link,
  ];
  return lines.filter((line) => line !== null && line !== "").join("\n");
}

/** Where an agent comes from, as a phrase. */
export const originWords = (unit: string, units: number, seed: number, isOpen: boolean): string =>
  `${isOpen ? "the open run" : "from its link"}, ${unit} ${formatInteger(units)}, seed ${seed}`;

/** How far a replay is. */
export const replayWords = (title: string, unit: string, done: number, last: number): string =>
  `${title} is replayed from its start: ${formatInteger(done)} of ${formatCount(last, unit)} …`;
