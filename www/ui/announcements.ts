// Announcements for screen readers: every few seconds the state of the run is written into a live region, a line of the
// page that is only read aloud.

import { write } from "../core/dom";
import { withUnit } from "../core/format";
import type { Run } from "../core/run";
import type { ShownTest } from "../core/shown-test";
import { goalText, headlineValue, type Headline } from "./headline";
import type { Introduction } from "./introduction";

/** The state is announced this often: a sentence takes some seconds to be read aloud. */
const INTERVAL_MS = 6_000;

/** The parts of the page whose state is announced. */
export interface Announced {
  run: Run;
  /** The lab screen, if it is shown; `describe` says what its picture shows. */
  readonly labScreen: {
    view: { describe: () => string } | null;
    shown: Pick<ShownTest, "last">;
    headline: () => Headline;
    introduction: () => Introduction | null;
  } | null;
}

/** Announces the state of the run in `line`, as long as a lab is shown. */
export function announceInto(line: HTMLElement, page: Announced): void {
  /** Units of the run at the last announcement. */
  let announcedUnits = 0;
  // What was said of the run before does not hold for this one.
  page.run.on("opened", () => write(line, ""));
  setInterval(() => {
    const { run, labScreen } = page;
    if (!run.lab || !labScreen) return write(line, "");
    if (document.hidden) return;
    // Once it was read, nothing is left that could become untrue.
    if (!run.progress.running && announcedUnits === run.progress.units) return write(line, "");
    announcedUnits = run.progress.units;
    const { about } = run.lab;
    const headline = labScreen.headline();
    const last = (metric: string) => labScreen.shown.last(metric);
    const value = `${headline.name} ${withUnit(headlineValue(headline, run.series, last), headline.unit)}`;
    // The headline is that of the agent in training, which the visitor may not have before them.
    const isTold = Number.isFinite(last(headline.metric)) && !labScreen.introduction();
    // The last test was in an earlier unit.
    const metric = isTold ? ` Last test: ${[value, goalText(headline.target)].filter(Boolean).join(", ")}.` : "";
    const state = run.progress.running ? "" : " Paused.";
    write(line, `${about.unit} ${announcedUnits}.${metric}${state} ${labScreen.view?.describe() ?? ""}`);
  }, INTERVAL_MS);
}
