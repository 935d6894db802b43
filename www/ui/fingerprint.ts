// The fingerprint of the run: computed when the visitor asks for it, shown with the unit it belongs to and with the
// command that checks it in a terminal. A fingerprint is a hash of everything that continues the run, so runs with the
// same fingerprint go on to the same bits.

import { readHeader } from "../core/checkpoint";
import { button, el, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { commandLine } from "../core/link";
import { copyRow, copyableField } from "./copy-row";

/** The purpose of this file's save requests, by which their answers are recognised. */
const FINGERPRINT = "fingerprint";

const EXPLANATION =
  "The fingerprint is a hash (SHA-256) of the whole run. Runs with the same fingerprint continue identically, on any machine.";

export class Fingerprint {
  readonly element: HTMLElement;
  #hash = copyableField("share-fingerprint", "Fingerprint of the run", { mono: true });
  #command = copyableField("share-check", "The command that checks the fingerprint", { mono: true });
  #about = el("p", { class: "quiet small", text: EXPLANATION });
  #results = el("div", { hidden: true }, copyRow(this.#hash));
  #check = el(
    "div",
    {},
    el("label", { for: "share-check", text: "Command that checks it in a terminal" }),
    copyRow(this.#command),
  );
  #draft: Draft;

  constructor(draft: Draft) {
    this.#draft = draft;
    const { run, lab } = draft;
    const compute = button("Compute the fingerprint", () => run.save(FINGERPRINT, { fingerprint: true }), {
      title: `Finish this ${lab.about.unit}, then compute the fingerprint`,
    });
    this.#results.append(this.#check);
    this.element = el(
      "div",
      { class: "share-fingerprint" },
      el("p", { class: "label", text: "Fingerprint" }),
      el("p", { class: "row" }, compute),
      this.#results,
      this.#about,
    );
    run.on("saved", ({ purpose, units, fingerprint, bytes }) => {
      if (purpose === FINGERPRINT && fingerprint) this.#show(fingerprint, units, readHeader(bytes)?.changed ?? false);
    });
    // The fingerprint of another run would mislead.
    run.on("opened", () => this.#clear());
  }

  #clear(): void {
    this.#results.hidden = true;
    write(this.#about, EXPLANATION);
  }

  /** Shows the fingerprint of the run after `units`. `changed` is true if live settings were changed during the run. */
  #show(fingerprint: string, units: number, changed: boolean): void {
    const { lab, run } = this.#draft;
    this.#hash.value = fingerprint;
    const start = commandLine(lab, run.settings, run.seed, units);
    const { bits } = run.bundle;
    this.#command.value = `${start} --bits ${bits} --expect ${fingerprint}`;
    this.#check.hidden = changed || bits === "gpu";
    this.#results.hidden = false;
    const repeated = changed
      ? " Settings were changed during the run, so no command repeats it, but its checkpoint continues it."
      : bits === "gpu"
        ? " A GPU rounds differently, so no command repeats it on another device, but its checkpoint continues it."
        : "";
    write(this.#about, `Fingerprint at ${lab.about.unit} ${units}. ${EXPLANATION}${repeated}`);
  }
}
