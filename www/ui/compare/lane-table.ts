// The table of the runs that are compared: the settings in which they differ, and what came of them.

import { el, write } from "../../core/dom";
import type { Comparison, Lane } from "../../core/compare/comparison";
import { differingSettings, shownValue } from "../../core/compare/differences";
import { formatDuration, formatInteger, formatNumber, sentenceStart } from "../../core/format";
import { settingTitle } from "../../core/labels";
import { laneLetter } from "./lane-marks";

/** The fingerprint of a run at a unit. */
export interface LaneFingerprint {
  units: number;
  fingerprint: string;
}

/** The number of digits of a fingerprint that are shown; the title shows all of them. */
const SHOWN_DIGITS = 12;

/** A duration in a narrow column. */
const shortDuration = (seconds: number) => (seconds < 100 ? `${seconds.toFixed(1)} s` : formatDuration(seconds));

/** A row: its heading, and the text of each lane with an optional title. */
type Row = [heading: string, cells: { text: string; title?: string }[]];

export class LaneTable {
  readonly element = el("div", {
    class: "compare-table",
    tabindex: "0",
    role: "region",
    "aria-label": "Runs compared",
  });
  /** The headings and texts that are shown, to draw only what has changed. */
  #shape = "";
  #cells: HTMLElement[] = [];

  draw(comparison: Comparison, metric: string, fingerprints: Map<unknown, LaneFingerprint>): void {
    const { lanes } = comparison;
    const rows = lanes.length > 0 ? rowsOf(comparison, metric, fingerprints) : [];
    const shape = [lanes.map(({ place }) => place), rows.map(([heading]) => heading)].join("|");
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#create(lanes, rows);
    }
    rows
      .flatMap(([, cells]) => cells)
      .forEach(({ text, title = "" }, i) => {
        const cell = this.#cells[i] as HTMLElement;
        write(cell, text);
        if (cell.title !== title) cell.title = title;
      });
  }

  #create(lanes: Lane[], rows: Row[]): void {
    this.#cells = [];
    const head = lanes.map(({ place }) =>
      el(
        "th",
        { scope: "col", class: `lane-${place + 1}` },
        el("span", { class: "compare-letter", text: laneLetter(place) }),
      ),
    );
    const body = rows.map(([heading, cells]) => {
      const tds = cells.map(() => el("td", { class: "num" }));
      this.#cells.push(...tds);
      return el("tr", {}, el("th", { scope: "row", text: heading }), ...tds);
    });
    const table = el("table", {}, el("thead", {}, el("tr", {}, el("td"), ...head)), el("tbody", {}, ...body));
    this.element.replaceChildren(...(rows.length > 0 ? [table] : []));
  }
}

function rowsOf({ lab, lanes }: Comparison, metric: string, fingerprints: Map<unknown, LaneFingerprint>): Row[] {
  const { unit, work, metrics } = lab.about;
  // A resumed run has the settings of its checkpoint.
  const identities = lanes.map(({ contender, run }) => ({
    settings: run?.settings ?? contender.settings,
    seed: contender.seed,
  }));
  const each = (text: (lane: Lane) => string) => lanes.map((lane) => ({ text: text(lane) }));
  const spec = metrics.find(({ name }) => name === metric);
  const rows: Row[] = differingSettings(lab, identities).map((name) => [
    settingTitle(lab, name),
    identities.map((identity) => ({ text: shownValue(lab, identity, name) })),
  ]);
  if (lanes.some(({ contender }) => contender.load))
    rows.push(["starts from", each(({ contender }) => (contender.load ? "a saved run" : "nothing"))]);
  const dash = "–";
  rows.push(
    [unit, each(({ run }) => (run?.position ? formatInteger(run.position.units) : dash))],
    [work, each(({ run }) => (run?.position ? formatInteger(run.position.work) : dash))],
    ["training time", each(({ run }) => (run?.position ? shortDuration(run.seconds) : dash))],
    ["threads", each(({ run }) => (run ? String(run.threads) : dash))],
    [spec?.label ?? metric, each(({ run }) => formatNumber(run?.series.last(metric) ?? NaN, 4, spec?.unit ?? ""))],
    [
      `goal reached in ${unit}`,
      each(({ run }) =>
        run?.reached ? formatInteger(run.reached.units) : run?.goal === null && run.position ? "no goal" : dash,
      ),
    ],
    [
      "time to the goal",
      // Not finite if the goal was reached before a saved run was resumed here.
      each(({ run }) => (Number.isFinite(run?.reached?.seconds) ? shortDuration(run?.reached?.seconds ?? 0) : dash)),
    ],
  );
  if (lanes.some(({ run }) => fingerprints.has(run)))
    rows.push([
      "fingerprint",
      lanes.map(({ run }) => {
        const found = fingerprints.get(run);
        if (!found) return { text: dash };
        const { units, fingerprint } = found;
        return { text: `${fingerprint.slice(0, SHOWN_DIGITS)}…`, title: `${unit} ${units}: ${fingerprint}` };
      }),
    ]);
  return rows.map(([heading, cells]): Row => [sentenceStart(heading), cells]);
}
