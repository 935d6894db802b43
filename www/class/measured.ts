// What a lesson has measured in a pupil's tab, as the tab says: which checks are ticked, and what the runs of its
// blocks came to. Only names and numbers are sent; the words for them are those of the lesson on the page that shows
// them.

import { formatCount, formatNumber, formatTick, sentenceStart, withUnit } from "../core/format";
import { settingTitle, valueLabel } from "../core/labels";
import { isNumber, isObject } from "../core/unknown";
import type { LabInfo } from "../generated/protocol";
import type { Answer } from "./code";

/** The most checks and results of blocks that are sent, and settings of a block (crates/class/src/messages.rs). */
export const MAX_CHECKS = 40;
export const MAX_RESULTS = 30;
export const MAX_SETTINGS = 8;
/** What stands for a check that is ticked. */
export const TICKED = "Ticked";
const NAME = /^[a-z][a-z0-9-]{0,23}$/;

export interface Measured {
  /** The names of the checks that are ticked. */
  checks: string[];
  /**
   * The results of the blocks. A block whose settings pupils may change can have several, each with other settings, the
   * latest one last.
   */
  blocks: BlockResult[];
}

/** The result of one run, or of several seeds: then `units` and `value` are medians. */
export interface BlockResult {
  /** The name of the block in the lesson's text. */
  block: string;
  metric: string;
  runs: number;
  /** How many of them have reached the goal. */
  reached: number;
  /** Units (training iterations) of the longest run. */
  trained: number;
  /** Units until the goal; null if half of the runs or fewer have reached it. */
  units: number | null;
  /** The last value of the metric; null if it was never measured. */
  value: number | null;
  /** The settings that the lesson lets pupils change, as far as they are numbers. */
  settings: Record<string, number>;
}

/** What a lesson can measure. */
export interface MeasuredParts {
  info: LabInfo;
  checks: { name: string; text: string }[];
  blocks: MeasuredBlock[];
}

export interface MeasuredBlock {
  name: string;
  title: string;
  runs: number;
  /** The most units of a run. */
  units: number;
  /** Whether a run ends at the goal. */
  goal: boolean;
  /** The settings that pupils may change. */
  dials: string[];
}

export const nothingMeasured = (): Measured => ({ checks: [], blocks: [] });

/** How many results these are. */
export const resultCount = ({ checks, blocks }: Measured): number => checks.length + blocks.length;

/** Reads what a tab has sent. What cannot be read is left out. */
export function readMeasured(value: unknown): Measured {
  if (!isObject(value)) return nothingMeasured();
  const { checks, blocks } = value;
  const names = (Array.isArray(checks) ? (checks as unknown[]) : []).slice(0, MAX_CHECKS).filter(isName);
  const results = (Array.isArray(blocks) ? (blocks as unknown[]) : []).slice(0, MAX_RESULTS);
  return { checks: [...new Set(names)], blocks: withoutRepeats(readBlocks(results)) };
}

/** The results without those whose block and settings a later one has too. */
function withoutRepeats(results: readonly BlockResult[]): BlockResult[] {
  const key = ({ block, settings }: BlockResult) => JSON.stringify([block, Object.entries(settings).sort()]);
  const latest = new Map(results.map((each) => [key(each), each]));
  return results.filter((each) => latest.get(key(each)) === each);
}

/** Those of the results that can be read. */
export const readBlocks = (values: readonly unknown[]): BlockResult[] =>
  values.flatMap((each) => readBlock(each) ?? []);

const isName = (value: unknown): value is string => typeof value === "string" && NAME.test(value);
const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

function readBlock(value: unknown): BlockResult | null {
  if (!isObject(value)) return null;
  const { block, metric, runs, reached, trained, units, value: last, settings } = value;
  if (!isName(block) || typeof metric !== "string" || !isCount(runs) || !isCount(reached) || !isCount(trained))
    return null;
  const pairs = isObject(settings) ? Object.entries(settings).slice(0, MAX_SETTINGS) : [];
  return {
    block,
    metric,
    runs,
    reached: Math.min(reached, runs),
    trained,
    units: isNumber(units) ? units : null,
    value: isNumber(last) ? last : null,
    settings: Object.fromEntries(pairs.filter((pair): pair is [string, number] => isNumber(pair[1]))),
  };
}

/** Whether a result can be one of this block. It cannot if it was made by hand, or of another version of the lesson. */
const isOf = ({ block, runs, trained }: BlockResult, part: MeasuredBlock): boolean =>
  block === part.name && runs === part.runs && trained <= part.units;

/** What can come from this lesson, and how many results of blocks cannot. */
export function fitting(measured: Measured, parts: MeasuredParts): { measured: Measured; unfit: number } {
  const blocks = measured.blocks.filter((result) => parts.blocks.some((part) => isOf(result, part)));
  return { measured: { ...measured, blocks }, unfit: measured.blocks.length - blocks.length };
}

/** That some results do not fit, for the row of a pupil. */
export const unfitWords = (unfit: number): string =>
  `${formatCount(unfit, "result")} left out, because ${unfit === 1 ? "it does" : "they do"} not fit this lesson`;

/** The checks that are ticked and the results of the blocks, in the words of the lesson, as answers to their titles. */
export function measuredAnswers({ checks, blocks }: Measured, parts: MeasuredParts): Answer[] {
  const ticked = parts.checks.filter(({ name }) => checks.includes(name));
  const results = parts.blocks.flatMap((block) =>
    wordsOf(block, blocks, parts).map((text) => ({ question: block.title, text })),
  );
  return [...ticked.map(({ text }) => ({ question: text, text: TICKED })), ...results];
}

/** The settings that pupils may change, as far as they are known; empty if none is. */
export function chosenWords(info: LabInfo, dials: readonly string[], settings: BlockResult["settings"]): string {
  const known = dials.filter((name) => Object.hasOwn(settings, name));
  return known.map((name) => `${settingTitle(info, name)} ${valueLabel(settings[name] as number)}`).join(", ");
}

/** What a block has measured, a phrase for each different result. */
export function wordsOf(block: MeasuredBlock, results: readonly BlockResult[], parts: MeasuredParts): string[] {
  return [...new Set(results.flatMap((result) => resultWords(result, block, parts) ?? []))];
}

/** What a block has measured, in a phrase; null if it is no result of this block. */
export function resultWords(result: BlockResult, block: MeasuredBlock, { info }: MeasuredParts): string | null {
  const { runs, reached, trained, units, value } = result;
  if (!isOf(result, block)) return null;
  const { unit, metrics } = info.about;
  const spec = metrics.find(({ name }) => name === result.metric);
  const ending = () => {
    if (!block.goal) return runs === 1 ? `after ${formatCount(trained, unit)}` : formatCount(runs, "run");
    const at = units === null ? "" : `${unit} ${formatTick(units)}`;
    if (runs > 1) return `${reached} of ${formatCount(runs, "run")} reached the goal${at && ` (median ${at})`}`;
    return reached > 0 ? `goal reached${at && ` at ${at}`}` : `goal not reached in ${formatCount(trained, unit)}`;
  };
  const number = value === null || !spec ? "" : withUnit(formatNumber(value, 3), spec.unit);
  const measured = spec && number !== "" ? `; ${runs > 1 ? "median " : ""}${spec.label} ${number}` : "";
  const chosen = chosenWords(info, block.dials, result.settings);
  return sentenceStart(`${chosen && `${chosen}: `}${ending()}${measured}`);
}
