// Announcements for screen readers: every few seconds the state of the run is written into a live region, a line of the
// page that is only read aloud.

import { write } from "../core/dom";
import { formatNumber, minus } from "../core/format";
import type { Run } from "../core/run";
import type { ShownTest } from "../core/shown-test";

const MIN_INTERVAL_MS = 6_000;

/** What is announced. */
export interface Announced {
  run: Run;
  /** The lab screen, if it is shown; `describe` says what its picture shows. */
  readonly labScreen: { view: { describe: () => string } | null; shown: Pick<ShownTest, "last"> } | null;
}

/** Announces the state of the run in `line`, as long as a lab is shown. */
export function announceInto(line: HTMLElement, page: Announced): void {
  /** Units of the run at the last announcement. */
  let announcedUnits = 0;
  setInterval(() => {
    const { run, labScreen } = page;
    if (!run.lab || !labScreen || document.hidden) return;
    if (!run.progress.running && announcedUnits === run.progress.units) return;
    announcedUnits = run.progress.units;
    const { about } = run.lab;
    const name = run.goal?.metric ?? about.charts[0] ?? "";
    const value = labScreen.shown.last(name);
    const goal = run.goal ? `, goal ${minus(String(run.goal.target))}` : "";
    const metric = Number.isFinite(value)
      ? ` ${run.series.spec(name)?.label ?? name} ${formatNumber(value, 3, run.series.spec(name)?.unit)}${goal}.`
      : "";
    const state = run.progress.running ? "" : " Paused.";
    write(line, `${about.unit} ${announcedUnits}.${metric}${state} ${labScreen.view?.describe() ?? ""}`);
  }, MIN_INTERVAL_MS);
}
