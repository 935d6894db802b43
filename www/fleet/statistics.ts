// Two lists of names and values on the page of a fleet: what this tab has contributed, and what the fleet computes.

import { el, write } from "../core/dom";
import { formatCompact, formatInteger, sentenceStart } from "../core/format";
import { settingTitle, valueLabel } from "../core/labels";
import { presetOf } from "../core/presets";
import type { ActorsProgress, FleetRun, LabInfo } from "../generated/protocol";
import type { FleetStatus } from "./status";

/** The texts and settings of the labs, by the paths of their modules. */
const LABS = import.meta.glob<LabInfo>("../generated/labs/*.ts", { import: "LAB" });

/** The names of the values, as they are shown. */
const [ACCEPTED, RATE, LATE, WEIGHTS, RUN] = [
  "Results accepted",
  "Rate",
  "Not needed",
  "Version of the weights",
  "Run under way",
] as const;
const [MACHINES, BITS] = ["Machines and tabs", "Class of bits"] as const;

/** The rate is the mean over this many past seconds. */
const RATE_SECONDS = 60;

/** A list of names and values with a heading, which is hidden until it has its first value. Values are written in place. */
class ValueList {
  readonly element: HTMLElement;
  #list: HTMLDListElement;
  #values = new Map<string, { row: HTMLElement; value: HTMLElement }>();

  /** `names` come first, in this order; others follow as they are set. */
  constructor(title: string, names: string[], ...more: HTMLElement[]) {
    this.#list = el("dl", { class: "fleet-facts" });
    this.element = el("section", { hidden: true }, el("h2", { text: title }), this.#list, ...more);
    for (const name of names) this.#add(name);
  }

  #add(name: string): { row: HTMLElement; value: HTMLElement } {
    const value = el("dd", { class: "num" });
    const row = el("div", { hidden: true }, el("dt", { text: name }), value);
    const entry = { row, value };
    this.#values.set(name, entry);
    this.#list.append(row);
    return entry;
  }

  /** Shows a value, or hides it if it is empty. */
  set(name: string, text: string): void {
    const { row, value } = this.#values.get(name) ?? this.#add(name);
    row.hidden = text === "";
    write(value, text);
    if (text !== "") this.element.hidden = false;
  }
}

export class FleetStatistics {
  readonly element: HTMLElement;
  #settings = el("dl", { class: "fleet-settings" });
  #details = el("details", { hidden: true }, el("summary", { text: "Settings" }), this.#settings);
  #contributed = new ValueList("This tab", [ACCEPTED, RATE, LATE, WEIGHTS, RUN]);
  #fleet = new ValueList("The fleet", ["Lab", "Preset", "Seed", "Under way", MACHINES, BITS], this.#details);
  /** The run that is shown, as JSON. */
  #shown = "";
  /** What the lab calls a unit (training iteration), once its texts are there. */
  #unit = "unit";
  /** The work done so far, at times of the last minute. */
  #history: { seconds: number; work: number }[] = [];

  constructor() {
    this.element = el("div", { class: "fleet-figures" }, this.#contributed.element, this.#fleet.element);
  }

  /** `seconds` is the present time. */
  showProgress(progress: ActorsProgress, seconds: number): void {
    const { run, sweep, version, work, accepted, late } = progress;
    this.#contributed.set(ACCEPTED, formatInteger(accepted));
    for (const { what, count } of work) this.#contributed.set(sentenceStart(what), formatInteger(count));
    const [main] = work; // the kind of work by which the lab counts comes first
    if (main) this.#contributed.set(RATE, `${formatCompact(this.#rate(main.count, seconds))} ${main.what} a minute`);
    this.#contributed.set(LATE, late > 0 ? `${formatInteger(late)}, another was first` : "");
    this.#contributed.set(WEIGHTS, version ?? "");
    if (run) void this.#showRun(run, sweep);
  }

  /** Work per minute, over the last `RATE_SECONDS`. */
  #rate(work: number, seconds: number): number {
    this.#history = this.#history.filter((moment) => moment.seconds > seconds - RATE_SECONDS);
    this.#history.push({ seconds, work });
    const [first] = this.#history;
    return first && seconds > first.seconds ? ((work - first.work) / (seconds - first.seconds)) * 60 : 0;
  }

  showStatus({ sweep, unit, jobs, done, machines, bits }: FleetStatus): void {
    const counts = `${formatInteger(done)} of ${formatInteger(jobs)}`;
    const underWay = sweep ? `${counts} runs complete` : `${this.#unit} ${formatInteger(unit)}, ${counts} jobs done`;
    this.#fleet.set("Under way", underWay);
    this.#fleet.set(MACHINES, formatInteger(machines));
    this.#fleet.set(BITS, bits);
  }

  /**
   * Shows what is learned and how, once the texts of the lab are there. A sweep has many runs, of which this tab
   * computes one.
   */
  async #showRun(run: FleetRun, sweep: boolean): Promise<void> {
    const key = JSON.stringify(run);
    if (key === this.#shown) return;
    this.#shown = key;
    // Without its texts the lab is shown by its id.
    const lab = await LABS[`../generated/labs/${run.lab}.ts`]?.().catch(() => undefined);
    const settings = run.config;
    const presetName = lab && presetOf(lab, settings);
    const title = lab?.about.presets.find(({ name }) => name === presetName)?.title;
    this.#unit = sentenceStart(lab?.about.unit ?? "unit");
    this.#fleet.set("Lab", lab?.about.title ?? run.lab);
    const preset = title ?? (lab ? "none, own settings" : "");
    this.#fleet.set("Preset", sweep ? "" : preset);
    this.#fleet.set("Seed", sweep ? "" : String(run.seed));
    this.#contributed.set(RUN, sweep ? `${title ?? "own settings"}, seed ${run.seed}` : "");
    const defaults = new Map(lab?.fields.map((field) => [field.name, field.default]));
    const other = Object.entries(settings).filter(([name, value]) => defaults.get(name) !== value);
    this.#settings.replaceChildren(
      ...other.map(([name, value]) =>
        el("div", {}, el("dt", { text: settingTitle(lab, name) }), el("dd", { text: valueLabel(value) })),
      ),
    );
    this.#details.hidden = other.length === 0;
  }
}
