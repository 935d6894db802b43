// Formats numbers for people, and puts words together. The texts of a changing number have nearly the same width, so
// that the page does not jump. A measured value that is not finite is written as a dash.

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
/** Replaces hyphens by minus signs, which are as wide as a plus sign. */
export const minus = (text: string) => text.replaceAll("-", "−");

/** A number rounded to a whole one, with commas between thousands. */
export function formatInteger(n: number): string {
  return Number.isFinite(n) ? minus(grouped.format(n)) : "–";
}

/**
 * A number with about `digits` significant digits: 1,234, 12.34, 0.001230 or 1.2e−7. With the unit "%" it is formatted
 * as a percentage with two decimals; the unit itself is not part of the text.
 */
export function formatNumber(n: number, digits = 4, unit = ""): string {
  return Number.isFinite(n) ? minus(unit === "%" ? percent(n) : significant(n, digits)) : "–";
}

/**
 * A measured number, with as many decimals as its margin of error has; percentages have at most two. Without a margin,
 * or with one of 10 or more, `digits` count.
 */
export function formatMeasured(n: number, margin: number, digits = 4, unit = ""): string {
  if (!Number.isFinite(n) || !(margin > 0 && margin < 10)) return formatNumber(n, digits, unit);
  const decimals = formatNumber(margin, 2).split(".")[1]?.length ?? 0;
  return minus(unit === "%" ? percent(n, Math.min(decimals, PERCENT_DECIMALS)) : n.toFixed(decimals));
}

/** Significant digits of margins of error. */
export const MARGIN_DIGITS = 2;

/**
 * A margin of error behind its value: " ± 0.12". If it is wider than the value, so that the sign is not known, the ends
 * of the interval: " (−0.20 to 0.58)". If the value is a percentage, and less or more than a percentage can be lies within
 * the margin, the ends of Wilson's interval for a share that was measured as exactly: " (0.03 to 1.12)". Empty without a
 * margin.
 */
export function formatMargin(value: number, margin: number, unit = ""): string {
  if (!(margin > 0)) return "";
  const [low, high] = [value - margin, value + margin];
  if (unit === "%" && value > 0 && value < 100 && (low < 0 || high > 100)) return wilson(value, margin);
  if (Math.abs(value) >= margin) return ` ± ${formatNumber(margin, MARGIN_DIGITS)}`;
  return ` (${formatMeasured(low, margin, 4, unit)} to ${formatMeasured(high, margin, 4, unit)})`;
}

function wilson(percentage: number, margin: number): string {
  const [share, half] = [percentage / 100, margin / 100];
  // z² / n, with the n for which half = z √(share (1 - share) / n): so many cases would give this margin.
  const ratio = half ** 2 / (share * (1 - share));
  const reach = Math.sqrt(half ** 2 + ratio ** 2 / 4);
  const end = (side: number) => formatNumber((100 * (share + ratio / 2 + side)) / (1 + ratio), 4, "%");
  return ` (${end(-reach)} to ${end(reach)})`;
}

/** Decimals of percentages whose margin of error is unknown or small. */
const PERCENT_DECIMALS = 2;

/** A number of percent, from 0 to 100. It is rounded down but never to 0, so that 100 means all and 0 means none. */
function percent(n: number, decimals = PERCENT_DECIMALS): string {
  const step = 10 ** -decimals;
  if (n > 0 && n < step) return `<${step.toFixed(decimals)}`;
  // A quotient may lie just below the exact whole number: 0.29 / 0.01 is 28.999…, which must not become 28, so a little
  // more than the rounding error is added.
  const floored = Math.floor(n / step + 1e-6) * step;
  return Number.isInteger(n) ? String(n) : floored.toFixed(decimals);
}

/**
 * A share from 0 to 1 as a percentage with `decimals`. Only none is 0% and only all is 100%: what would be rounded to
 * them is <1% or >99%.
 */
export function formatShare(share: number, decimals = 0): string {
  if (!Number.isFinite(share)) return "–";
  if (share <= 0) return "0%";
  if (share >= 1) return "100%";
  const text = (100 * share).toFixed(decimals);
  const step = 10 ** -decimals;
  if (Number(text) === 0) return `<${step.toFixed(decimals)}%`;
  return Number(text) === 100 ? `>${(100 - step).toFixed(decimals)}%` : `${text}%`;
}

/** Exact for whole numbers below 10⁹, scientific notation for huge and tiny numbers, otherwise at most six decimals. */
function significant(n: number, digits: number): string {
  const size = Math.abs(n);
  if (size >= 1e9) return n.toExponential(2);
  if (Number.isInteger(n) || size >= 10 ** (digits - 1)) return grouped.format(n);
  if (size < 1e-4) return n.toExponential(1);
  const digitsBeforePoint = Math.floor(Math.log10(size)) + 1; // 0 below 1, negative below 0.1
  return n.toFixed(Math.min(6, Math.max(0, digits - digitsBeforePoint)));
}

/** A number with one decimal, never minus zero. */
export const formatTenths = (n: number): string => fixed(n, 1);

/**
 * The ends of a scale: with one decimal, with more if they are less than 1 apart, and as `formatNumber` writes them if
 * they are huge.
 */
export function formatEnds([low, high]: [number, number]): [string, string] {
  if (Math.max(Math.abs(low), Math.abs(high)) >= 1e6) return [formatNumber(low, 3), formatNumber(high, 3)];
  const decimals = high - low < 1e-6 ? 1 : Math.max(1, Math.min(6, Math.ceil(1 - Math.log10(high - low))));
  return [fixed(low, decimals), fixed(high, decimals)];
}

function fixed(n: number, decimals: number): string {
  const rounded = Math.round(n * 10 ** decimals) / 10 ** decimals || 0; // turns minus zero into zero
  return Number.isFinite(n) ? minus(rounded.toFixed(decimals)) : "–";
}

/** The label of an axis tick, with at most three significant digits and no trailing zeros: 0.25, 500, 20 k, 1e+6. */
export function formatTick(n: number): string {
  const short = Number(n.toPrecision(3));
  const size = Math.abs(short);
  if (size >= 1e4 && size < 1e6) return minus(`${Number((short / 1e3).toPrecision(3))} k`);
  return minus(size !== 0 && (size >= 1e6 || size < 1e-4) ? short.toExponential() : String(short));
}

/** A count or a rate that is not negative: 0, 7.5, 950, 12.4 k, 1.25 M. */
export function formatCompact(n: number): string {
  if (!Number.isFinite(n)) return "–";
  if (n < 10) return n.toFixed(n === 0 ? 0 : 1);
  if (n < 1e3) return n.toFixed(0);
  if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e5 ? 1 : 0)} k`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 2 : 1)} M`;
}

/** A duration: 6.2 seconds, 3 min 20 s, 2 h 5 min. */
export function formatDuration(seconds: number): string {
  // From 99.95 on, one decimal would make it 100.0.
  if (seconds < 99.95) return `${seconds.toFixed(1)} seconds`;
  // Rounded before it is divided, so that the remaining seconds never become 60.
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A duration that is estimated, without decimals: 6 seconds, 3 minutes. */
export function formatEstimate(seconds: number): string {
  return seconds < 90 ? formatCount(Math.ceil(seconds), "second") : formatCount(Math.round(seconds / 60), "minute");
}

/** The units of durations. The longer end of a range has the first unit whose `below` it does not reach. */
const SPAN_UNITS = [
  { noun: "second", seconds: 1, below: 120 },
  { noun: "minute", seconds: 60, below: 120 * 60 },
  { noun: "hour", seconds: 3600, below: 48 * 3600 },
  { noun: "day", seconds: 86400, below: Infinity },
] as const;

/** A range of durations that are estimated: 20 to 30 seconds, 50 seconds to 3 minutes, 2 minutes. */
export function formatSpan(from: number, to: number): string {
  const unitOf = (duration: number) => SPAN_UNITS.find(({ below }) => duration < below) ?? SPAN_UNITS[3];
  const part = (duration: number, { noun, seconds }: (typeof SPAN_UNITS)[number]) => {
    const count = Math.max(1, Math.round(duration / seconds));
    return { noun, count, text: formatCount(count, noun) };
  };
  const unit = unitOf(to);
  const last = part(to, unit);
  // The shorter end has the same unit if it is at least one and a half of it, otherwise a smaller one.
  const first = part(from, from >= 1.5 * unit.seconds ? unit : unitOf(from));
  if (first.text === last.text) return last.text;
  return `${first.noun === last.noun ? formatInteger(first.count) : first.text} to ${last.text}`;
}

/** How long ago something happened, in words. Times are in milliseconds since 1970. */
export function formatAge(then: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - then) / 1000);
  // Each unit is used from one and a half of it on, so that its rounded number is at least 2 and a plural.
  const [minute, hour, day] = [60, 3600, 86400];
  if (seconds < 1.5 * minute) return "a moment ago";
  if (seconds < 1.5 * hour) return `${Math.round(seconds / minute)} minutes ago`;
  if (seconds < 1.5 * day) return `${Math.round(seconds / hour)} hours ago`;
  return `${Math.round(seconds / day)} days ago`;
}

/** `learning_rate` as `learning rate`. */
export function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

/** A count with its noun: `1 iteration`, `2 iterations`. A noun that ends in s is a plural already. */
export function formatCount(n: number, noun: string): string {
  return `${formatInteger(n)} ${n === 1 || noun.endsWith("s") ? noun : `${noun}s`}`;
}

/** A number that is written already, with its unit: 53.85%, 9.2 turns. */
export function withUnit(number: string, unit: string): string {
  return unit === "" || unit === "%" ? number + unit : `${number} ${unit}`;
}

/** The text with a capital letter. */
export function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text with a full stop, unless it ends with another mark. */
export function sentenceEnd(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The text with a capital letter and a full stop. */
export function sentence(text: string): string {
  return sentenceEnd(sentenceStart(text));
}

/** “a, b and c”; empty for none. */
export function listed(parts: readonly string[]): string {
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}` : (parts[0] ?? "");
}
