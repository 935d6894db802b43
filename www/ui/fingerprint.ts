// The fingerprint of the run: a hash of everything that decides how the run continues. Runs with the same fingerprint go
// on to the same bits on machines of the same class of bits. It is computed when the visitor asks for it, and shown with
// its unit (training iteration) and the command that checks it in a terminal.

import { button, el, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { commandLine } from "../core/command-line";
import { changesInLink, hasData } from "../core/recipe";
import { copyRow, copyableField } from "./copy";

const EXPLANATION =
  "The fingerprint is a hash (SHA-256) of everything that decides how the run continues. Runs with the same fingerprint continue identically on machines that round alike.";

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
    const compute = button("Compute the fingerprint", () => void this.#compute(), {
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
    // The fingerprint of another run would mislead.
    run.on("opened", () => this.#clear());
  }

  async #compute(): Promise<void> {
    const saved = await this.#draft.run.save({ fingerprint: true }).catch(() => null); // the page shows why
    if (saved?.fingerprint) this.#show(saved.fingerprint, saved.units);
  }

  #clear(): void {
    this.#results.hidden = true;
    write(this.#about, EXPLANATION);
  }

  /** Shows the fingerprint of the run after `units`. */
  #show(fingerprint: string, units: number): void {
    const { lab, run } = this.#draft;
    const { bits } = run.bundle;
    const { settings, seed, changes } = run.origin();
    const startedFromNetwork = run.networkSince !== null;
    const problem = whyNotChecked(startedFromNetwork, hasData(changes), bits === "gpu");
    this.#hash.value = fingerprint;
    this.#results.hidden = false;
    this.#check.hidden = problem !== null;
    write(this.#about, `Fingerprint at ${lab.about.unit} ${units}. ${EXPLANATION}${problem ? ` ${problem}` : ""}`);
    if (problem !== null) return;
    const command = commandLine(lab, settings, seed, units, "cpu", { changes, bits: `${bits}:${fingerprint}` });
    // The link of a run with changes has the class of bits and the fingerprint already.
    const checkOptions = changesInLink(changes).length > 0 ? "" : ` --bits ${bits} --expect ${fingerprint}`;
    this.#command.value = command + checkOptions;
  }
}

/** Why no command can check the fingerprint of a run, in a sentence; null if one can. */
function whyNotChecked(startedFromNetwork: boolean, hasOwnData: boolean, isOnGpu: boolean): string | null {
  if (startedFromNetwork)
    return `This run went on from a network that was trained before, so it cannot be repeated from its start. ${SAVE}`;
  if (hasOwnData) return `This run learns from your own data, so only its recipe repeats it from its start. ${SAVE}`;
  if (isOnGpu) return `A GPU rounds differently, so no command repeats the run on another device. ${SAVE}`;
  return null;
}

const SAVE = "To continue it elsewhere, save its checkpoint.";
