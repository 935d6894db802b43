// What is said of a moment that a link carries: its unit (training iteration), its score, and the test that measured
// it.

import { formatCount, formatNumber, sentenceStart, withUnit } from "../core/format";
import type { LinkMoment } from "../core/moment-link";
import type { LabInfo } from "../generated/protocol";
import type { Headline } from "./headline";
import type { Introduction } from "./introduction";

/** Significant digits of the score in a picture for chats, and on the page. */
const [CHAT_DIGITS, PAGE_DIGITS] = [3, 4];

/** The unit of the moment and its headline, with the unit at which that was measured if it is an earlier one. */
export function momentWords(lab: LabInfo, moment: LinkMoment): string {
  const unit = `${sentenceStart(lab.about.unit)} ${moment.unit}`;
  const measuredAt = moment.headline?.measuredAt ?? moment.unit;
  const earlier = measuredAt === moment.unit ? "" : `, test at ${lab.about.unit} ${measuredAt}`;
  return `${unit}${earlier}: ${headlineWords(lab, moment) || "not measured yet"}`;
}

/** What the lab's screen says in the place of the run's story and score, while it shows what the sender saw. */
export function senderIntroduction(lab: LabInfo, moment: LinkMoment): Introduction {
  const { about } = lab;
  const { name, value } = headlineParts(lab, moment);
  // Older links do not say which test it was.
  const measuredAt = moment.headline?.measuredAt ?? null;
  const test = measuredAt === null ? "" : ` at ${about.unit} ${measuredAt}`;
  return {
    story: `This is the sender's agent at ${about.unit} ${moment.unit}.`,
    headline: { name: name || "score", value: value || "–", unit: "", comparison: "" },
    note: value ? `Measured by the sender${test}` : "The link holds no score",
  };
}

/** The headline with its name, such as “correct cells 99.8%”; empty if it had not been measured. */
export function headlineWords(lab: LabInfo, moment: LinkMoment): string {
  const { name, value } = headlineParts(lab, moment);
  return value && `${name} ${value}`;
}

/** The name of the headline's metric, and its value with the unit; both empty if it had not been measured. */
export function headlineParts({ about }: LabInfo, { headline }: LinkMoment): { name: string; value: string } {
  const spec = about.metrics.find(({ name }) => name === headline?.metric);
  if (!headline || !spec) return { name: "", value: "" };
  return { name: spec.label, value: withUnit(formatNumber(headline.value, PAGE_DIGITS, spec.unit), spec.unit) };
}

/** What the picture for chats says. All but `title` and `trained` are empty without a score. */
export interface ChatWords {
  title: string;
  /** How far the agent has trained. */
  trained: string;
  /** What the score measures, its value and unit, and which test that was. */
  name: string;
  value: string;
  unit: string;
  test: string;
}

export function chatWords(
  { about }: LabInfo,
  { unit, headline }: LinkMoment,
  words: Pick<Headline, "name" | "unit">,
): ChatWords {
  const title = about.title;
  const trained = `An agent after ${formatCount(unit, about.unit)} of training`;
  if (!headline) return { title, trained, name: "", value: "", unit: "", test: "" };
  const spec = about.metrics.find(({ name }) => name === headline.metric);
  const isPercent = words.unit === "%";
  const value = formatNumber(headline.value, CHAT_DIGITS, spec?.unit);
  return {
    title,
    trained,
    name: sentenceStart(words.name),
    value: isPercent ? withUnit(value, words.unit) : value,
    unit: isPercent ? "" : words.unit,
    test: headline.measuredAt === null ? "" : `measured at ${about.unit} ${headline.measuredAt}`,
  };
}
