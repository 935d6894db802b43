// A duel in words: who has won by how much, and which agents they were.

import type { DuelPlan } from "../../core/duel/duel";
import type { Paired } from "../../core/duel/paired";
import type { Restored } from "../../core/duel/restore";
import { formatCount, formatInteger, minus } from "../../core/format";

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

/** A margin is rounded up, so that the text never claims more than was measured. */
const marginText = (margin: number, digits: number): string =>
  (Math.ceil(margin * 10 ** digits - 1e-6) / 10 ** digits).toFixed(digits);

type PlanWords = Pick<DuelPlan, "unit" | "digits" | "lead" | "counts" | "wonCounts">;

/** Who has won. A lead that chance could explain is called no win. */
export function verdict(result: Paired, { unit, digits, counts, lead: leadWords }: PlanWords): string {
  const { tasks, lead, margin, isChance } = result;
  if (lead === 0 && margin === 0)
    return `A draw. Over ${formatInteger(tasks)} ${counts} together, both were exactly equal.`;
  const ahead = TITLES[lead > 0 ? 0 : 1];
  const number = numberText(Math.abs(lead), digits);
  const by = `${leadWords(number)} on average, give or take ${marginText(margin, digits)}`;
  if (!isChance) return `${ahead} wins with ${by}.`;
  return Number(number) === 0
    ? `No winner. Both are level, give or take ${marginText(margin, digits)} ${unit}.`
    : `No winner. ${ahead} is ahead with ${by}, which chance could explain.`;
}

/** What “give or take” means, and why it is a win or none. */
export function intervalWords({ lead, margin, isChance }: Paired, { unit, digits }: PlanWords): string {
  if (margin === 0) return "";
  const [low, high] = [lead - margin, lead + margin].map((each) => numberText(each, digits));
  const interval = `The first agent's lead is uncertain, because other tasks would have given another one: its 95 % interval goes from ${low ?? ""} to ${high ?? ""} ${unit}.`;
  if (Math.abs(lead) <= margin) return `${interval} It contains 0, so this is no win.`;
  return isChance
    ? `${interval} It does not contain 0, but too few tasks made a difference: a second test (a randomisation test) still finds that chance could explain it, so this is no win.`
    : `${interval} It does not contain 0, so this is a win.`;
}

/** The rows of the table: who, mean result, and how often it was better. */
export function rowsOf(sides: readonly Side[], { means, won }: Paired, { digits }: PlanWords): string[][] {
  return sides.map(({ title, origin }, i) => [
    `${title} (${origin})`,
    numberText(means[i] as number, digits),
    formatInteger(won[i] as number),
  ]);
}

/** The heads of these columns. */
export function headsOf({ unit, counts, wonCounts }: PlanWords): string[] {
  return ["Agent", `Mean ${unit}`, wonCounts ? `Won ${wonCounts}` : `Better in ${counts}`];
}

/** What has to be said of an agent that may not be the one of its link; null for nothing. */
export function remark({ title, restored }: Side): string | null {
  switch (restored) {
    case "otherRounding":
      return `${title} was replayed with other rounding than its sender's: this browser cannot repeat that run bit for bit. It is another run of the same experiment.`;
    case "different":
      return `${title} is not exactly the one of its link: the replay came to another fingerprint. Somebody has edited the link, or another version of Learnery has made it.`;
    case "unchecked":
      return `${title} could not be compared with its sender's, because its link has no fingerprint.`;
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
