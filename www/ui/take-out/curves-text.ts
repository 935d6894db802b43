// The curves of a run as texts for other programs: as CSV, and as a drawing in SVG.

import { metricHeading, toCsv } from "../../core/csv";
import { formatTick } from "../../core/format";
import type { Series } from "../../core/series";
import type { Goal, MetricSpec } from "../../generated/protocol";

/** What the drawing shows. */
export interface CurvesOf {
  series: Series;
  /** The metrics to draw, in their order. */
  charts: string[];
  goal: Goal | null;
  /** The noun for a unit (training iteration). */
  unit: string;
  /** The lines above the charts: the lab and the run. */
  title: string;
  subtitle: string;
}

/** The colours of the drawing. */
export interface CurveColours {
  paper: string;
  ink: string;
  quiet: string;
  line: string;
  curve: string;
}

/**
 * All metrics with one row per unit, headed as in the charts. A metric that was not measured at a unit is left empty.
 */
export function curvesCsv(series: Series, unit: string): string {
  const rows = series.units.map((at, row) => [at, ...series.values.map((column) => column[row] ?? NaN)]);
  return toCsv([[unit, ...series.specs.map(metricHeading)], ...rows]);
}

// Sizes of the drawing in pixels.
const COLUMNS = 2;
const [WIDTH, HEIGHT] = [420, 220];
const MARGIN = { left: 56, right: 18, top: 40, bottom: 30 };
const HEADER_HEIGHT = 64;
const [PLOT_WIDTH, PLOT_HEIGHT] = [WIDTH - MARGIN.left - MARGIN.right, HEIGHT - MARGIN.top - MARGIN.bottom];
/** The most points of a curve; longer ones are thinned. */
const MAX_POINTS = 800;

/** The charts as a drawing in SVG. */
export function curvesSvg(curves: CurvesOf, colours: CurveColours): string {
  const { charts, series } = curves;
  const specs = charts.flatMap((name) => series.spec(name) ?? []);
  const width = COLUMNS * WIDTH;
  const height = HEADER_HEIGHT + Math.ceil(specs.length / COLUMNS) * HEIGHT;
  const parts = specs.map((spec, i) => {
    const [x, y] = [(i % COLUMNS) * WIDTH, HEADER_HEIGHT + Math.floor(i / COLUMNS) * HEIGHT];
    return `<g transform="translate(${x} ${y})">${chartSvg(spec, curves, colours)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>`,
    textAt(20, 28, curves.title, colours.ink, 'font-size="18" font-weight="600"'),
    textAt(20, 48, curves.subtitle, colours.quiet, 'font-size="12"'),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

/** One chart, with its upper left corner at the origin. */
function chartSvg(spec: MetricSpec, { series, goal, unit }: CurvesOf, colours: CurveColours): string {
  const rows = series.column(spec.name).flatMap((y, row) => {
    const x = series.units[row] as number;
    return Number.isFinite(y) ? [[x, y] as const] : [];
  });
  const target = goal?.metric === spec.name ? goal.target : null;
  const [low, high] = rangeOf(rows.map(([, y]) => y).concat(target ?? []));
  const last = Math.max(1, series.units.at(-1) ?? 1);
  const place = (x: number, y: number): [number, number] => [
    MARGIN.left + (x / last) * PLOT_WIDTH,
    MARGIN.top + (1 - (y - low) / (high - low)) * PLOT_HEIGHT,
  ];
  const stride = Math.ceil(rows.length / MAX_POINTS);
  const shown = rows.filter((_, i) => i % stride === 0 || i === rows.length - 1);
  const points = shown
    .map(([x, y]) =>
      place(x, y)
        .map((n) => n.toFixed(1))
        .join(","),
    )
    .join(" ");
  const horizontal = (y: number, stroke = colours.line, extra = "") => {
    const [, at] = place(0, y);
    return `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}" stroke="${stroke}"${extra}/>`;
  };
  const small = 'font-size="11"';
  // A text stands on its baseline, so those at the horizontal lines lie 4 pixels lower, with their middle at the line.
  return [
    textAt(MARGIN.left, 26, metricHeading(spec), colours.ink, 'font-size="13" font-weight="600"'),
    ...[low, (low + high) / 2, high].flatMap((y) => [
      horizontal(y),
      textAt(MARGIN.left - 6, place(0, y)[1] + 4, formatTick(y), colours.quiet, `${small} text-anchor="end"`),
    ]),
    target === null ? "" : horizontal(target, colours.quiet, ' stroke-dasharray="4 4" stroke-width="1.5"'),
    textAt(MARGIN.left, HEIGHT - 12, "0", colours.quiet, small),
    textAt(WIDTH - MARGIN.right, HEIGHT - 12, `${unit} ${last}`, colours.quiet, `${small} text-anchor="end"`),
    `<polyline points="${points}" fill="none" stroke="${colours.curve}" stroke-width="1.75" stroke-linejoin="round"/>`,
  ].join("");
}

/** The lowest and the highest value, at least a little apart. */
function rangeOf(values: number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return [0, 1];
  return high > low ? [low, high] : [low - 0.5, high + 0.5];
}

function textAt(x: number, y: number, text: string, fill: string, attributes: string): string {
  return `<text x="${x}" y="${y.toFixed(1)}" fill="${fill}" ${attributes}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
