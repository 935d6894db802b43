// A run in the library: its name, curve, score and metadata, and buttons for the actions on it. What is needed less
// often is behind "Details".

import { button, el, listen, write } from "../core/dom";
import { formatAge, formatCount, formatDuration, formatInteger, formatNumber, minus, withUnit } from "../core/format";
import { megabytes, type KeptRun } from "../core/library-budget";
import { changedSettings } from "../core/link";
import { cleanName, MAX_NAME_LENGTH, scoreOf } from "../core/run-metadata";
import { nameOf, settingWords } from "../core/run-names";
import type { JsonValue, LabInfo } from "../generated/protocol";
import { copyableField, copyRow } from "./copy";
import { sparkline } from "./sparkline";

export interface RunRowActions {
  open: (run: KeptRun) => void;
  /** Draws the run's curve over the large chart, or takes it off. */
  overlay: (run: KeptRun) => void;
  compare: (run: KeptRun) => void;
  pin: (run: KeptRun) => void;
  /** Renames the run. With a `name` of null it gets its generated name. */
  rename: (run: KeptRun, name: string | null) => void;
  export: (run: KeptRun) => void;
  delete: (run: KeptRun) => void;
  fingerprint: (run: KeptRun) => Promise<string>;
}

export class RunRow {
  readonly element: HTMLElement;
  #run: KeptRun | null = null;
  #name = el("h3", { class: "run-name" });
  #nameField = el("input", {
    type: "text",
    class: "run-rename",
    maxlength: MAX_NAME_LENGTH,
    "aria-label": "Name of the run",
  });
  #state = el("span", { class: "run-state" });
  #overview = el("p", { class: "run-facts num" });
  #parent = el("p", { class: "run-facts", hidden: true });
  #curve = el("div", { class: "run-curve" });
  #score = el("b", { class: "run-score num" });
  #goal = el("span", { class: "run-goal num" });
  #buttons: Record<"open" | "overlay" | "compare" | "pin" | "more" | "rename" | "export" | "delete", HTMLButtonElement>;
  #details = el("div", { class: "run-details", hidden: true });
  #list = el("dl", { class: "run-list-of-facts" });
  #fingerprint: FingerprintField | null = null;

  constructor(
    readonly lab: LabInfo,
    readonly actions: RunRowActions,
  ) {
    const act = (text: string, action: (run: KeptRun) => void, title = "") =>
      button(text, () => this.#run && action(this.#run), { class: "small", title: title || undefined });
    this.#buttons = {
      open: act("Open", actions.open, "Opens this run, paused. The present one is kept first"),
      overlay: act("Overlay", actions.overlay, "Draws its curve over the large chart"),
      compare: act("Compare", actions.compare, "Adds it to the runs that are compared"),
      pin: act("Pin", actions.pin, "A pinned run stays on top and is never removed to make room"),
      more: act("Details", () => this.#toggleDetails()),
      rename: act("Rename", () => this.#beginRename()),
      export: act("Export", actions.export, "Saves it as a checkpoint file"),
      delete: act("Delete", actions.delete),
    };
    const { open, overlay, compare, pin, more, rename, delete: remove } = this.#buttons;
    this.#details.append(this.#list, el("p", { class: "row" }, rename, this.#buttons.export, remove));
    more.setAttribute("aria-expanded", "false");
    this.#nameField.hidden = true;
    listen(this.#nameField, {
      keydown: (event) => this.#handleNameKey(event),
      blur: () => this.#endRename(true),
    });
    this.element = el(
      "li",
      { class: "run" },
      this.#curve,
      el(
        "div",
        { class: "run-words" },
        el("div", { class: "run-head" }, this.#name, this.#nameField, this.#state),
        this.#overview,
        this.#parent,
      ),
      el("p", { class: "run-result" }, this.#score, this.#goal),
      el("div", { class: "run-actions" }, open, overlay, compare, pin, more),
      this.#details,
    );
  }

  /** Shows a run. `nameOfRun` is the name of another kept run, or null; `canChange` is false if another tab saves. */
  show(run: KeptRun, { canChange, nameOfRun }: { canChange: boolean; nameOfRun: (id: string) => string | null }): void {
    const before = this.#run;
    this.#run = run;
    const { lab } = this;
    const { metadata, bytes } = run;
    const { about } = lab;
    const name = nameOf(lab, metadata);
    write(this.#name, name);
    const size = megabytes(bytes);
    write(this.#overview, [formatCount(metadata.units, about.unit), formatAge(metadata.savedAt), size].join(" · "));
    const { parent } = metadata.note;
    this.#parent.hidden = parent === null;
    if (parent) {
      const parentName = nameOfRun(parent.id) ?? "a run that is no longer kept";
      write(this.#parent, `Branch of ${parentName}, at ${about.unit} ${formatInteger(parent.units)}`);
    }
    if (before?.metadata.savedAt !== metadata.savedAt) this.#curve.replaceChildren(sparkline(metadata));
    this.#showScore();
    for (const each of Object.values(this.#buttons)) each.setAttribute("aria-label", `${each.textContent} ${name}`);
    const { pin, delete: remove, rename } = this.#buttons;
    pin.setAttribute("aria-pressed", String(metadata.pinned));
    pin.disabled = rename.disabled = remove.disabled = !canChange;
    this.element.classList.toggle("pinned", metadata.pinned);
    if (!this.#details.hidden) this.#showDetails();
  }

  /** Shows whether the run is open, and whether its curve is in the chart. */
  showState({ open, overlaid }: { open: boolean; overlaid: boolean }): void {
    const { metadata } = this.#run ?? {};
    write(this.#state, [open ? "open now" : "", metadata?.pinned ? "pinned" : ""].filter(Boolean).join(", "));
    this.#buttons.open.hidden = this.#buttons.overlay.hidden = this.#buttons.delete.hidden = open;
    this.#buttons.overlay.setAttribute("aria-pressed", String(overlaid));
    this.element.classList.toggle("open", open);
  }

  #showScore(): void {
    const { metadata } = this.#run as KeptRun;
    const { curve, goal, solvedAt } = metadata;
    const spec = this.lab.about.metrics.find(({ name }) => name === curve.metric);
    const score = scoreOf(metadata);
    const unit = spec?.unit ?? "";
    // A run that was not tested has a dash, without a unit.
    write(this.#score, withUnit(formatNumber(score, 3, unit), Number.isFinite(score) ? unit : ""));
    const { about } = this.lab;
    const solved = solvedAt === null ? "" : `the test at ${about.unit} ${formatInteger(solvedAt)} reached it`;
    // Unlike the other numbers of the row, the score does not say what it counts.
    const target = [goal ? `goal ${minus(String(goal.target))}` : "", solved].filter(Boolean).join(", ");
    write(this.#goal, [spec?.label ?? "", target].filter(Boolean).join(" · "));
    this.element.classList.toggle("solved-run", solvedAt !== null);
  }

  #toggleDetails(): void {
    this.#details.hidden = !this.#details.hidden;
    this.#buttons.more.setAttribute("aria-expanded", String(!this.#details.hidden));
    if (!this.#details.hidden) this.#showDetails();
  }

  #showDetails(): void {
    const run = this.#run as KeptRun;
    const { metadata } = run;
    const { about } = this.lab;
    const changed = Object.entries(changedSettings(this.lab, metadata.settings));
    const words = (settings: [string, JsonValue][]) =>
      settings.map((each) => settingWords(this.lab, ...each)).join(", ");
    const changes = metadata.changes.map(({ unit, settings }) => {
      const what = words(Object.entries(settings));
      return `${about.unit} ${formatInteger(unit)}: ${what || "other data"}`;
    });
    const spec = about.metrics.find(({ name }) => name === metadata.curve.metric);
    const rows: [string, string][] = [
      ["Settings changed", changed.length > 0 ? words(changed) : "none, all are the defaults"],
      ["Changed while it ran", changes.join("; ")],
      ["Seed", String(metadata.seed)],
      ["Score", spec ? spec.label : ""],
      ["Work", metadata.work > 0 ? `${formatInteger(metadata.work)} ${about.work}` : ""],
      ["Running time", metadata.note.seconds > 0 ? formatDuration(metadata.note.seconds) : ""],
      ["Saved", new Date(metadata.savedAt).toLocaleString()],
    ];
    const shown = rows.filter(([, text]) => text !== "");
    this.#list.replaceChildren(
      ...shown.map(([term, text]) => el("div", {}, el("dt", { text: term }), el("dd", { text }))),
    );
    this.#fingerprint ??= this.#createFingerprint(run.id);
    this.#fingerprint.show(metadata.fingerprint);
  }

  #createFingerprint(id: string): FingerprintField {
    const field = new FingerprintField(`run-fingerprint-${id}`, () => this.actions.fingerprint(this.#run as KeptRun));
    this.#list.after(field.element);
    return field;
  }

  #beginRename(): void {
    const { metadata } = this.#run as KeptRun;
    this.#nameField.value = nameOf(this.lab, metadata);
    this.#name.hidden = true;
    this.#nameField.hidden = false;
    this.#nameField.focus();
    this.#nameField.select();
  }

  #handleNameKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault(); // the key would press the button that gets the focus
    this.#endRename(event.key === "Enter");
    this.#buttons.rename.focus();
  }

  #endRename(accept: boolean): void {
    if (this.#nameField.hidden) return;
    this.#nameField.hidden = true;
    this.#name.hidden = false;
    const run = this.#run as KeptRun;
    const name = cleanName(this.#nameField.value);
    if (accept && name !== nameOf(this.lab, run.metadata)) this.actions.rename(run, name);
  }
}

/** The fingerprint of a run, or a button that computes it. */
class FingerprintField {
  readonly element: HTMLElement;
  #field: HTMLInputElement;
  #row: HTMLElement;
  #problem = el("span", { class: "quiet", role: "status" });
  #button = button("Compute the fingerprint", () => void this.#compute(), { class: "small" });

  constructor(
    id: string,
    readonly compute: () => Promise<string>,
  ) {
    this.#field = copyableField(id, "Fingerprint of the run", { mono: true });
    this.#row = copyRow(this.#field);
    this.element = el("div", { class: "run-fingerprint" }, this.#row, this.#button, this.#problem);
  }

  show(fingerprint: string | null): void {
    this.#field.value = fingerprint ?? "";
    this.#row.hidden = fingerprint === null;
    this.#button.hidden = fingerprint !== null;
  }

  async #compute(): Promise<void> {
    this.#button.disabled = true;
    write(this.#problem, "Computing …");
    try {
      this.show(await this.compute());
      write(this.#problem, "");
    } catch (error) {
      write(this.#problem, `No fingerprint: ${(error as Error).message}`);
    }
    this.#button.disabled = false;
  }
}
