// Tables as comma-separated values (RFC 4180), for spreadsheets. Headings are the labels of the page.

import type { MetricSpec } from "../generated/protocol";

/** A table with a line for each row. A number that is not finite is left out. */
export function toCsv(rows: (string | number)[][]): string {
  return rows.map((row) => `${row.map(field).join(",")}\n`).join("");
}

function field(value: string | number): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** The label of a metric with its unit: "correct cells (%)". */
export function metricHeading({ label, unit }: Pick<MetricSpec, "label" | "unit">): string {
  return unit ? `${label} (${unit})` : label;
}

/**
 * Spreadsheets take a text that begins like this for a formula, and would compute it; an apostrophe says that it is
 * none.
 */
export function noFormula(text: string): string {
  return /^[=+\-@]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
}
