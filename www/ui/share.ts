// The section for taking a run elsewhere: as a link, as a command for a terminal, as a recipe or as a checkpoint file;
// and for checking that it is the same elsewhere, by its fingerprint.

import { button, el, listen, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { commandLine, recipeCommand } from "../core/command-line";
import { formatInteger } from "../core/format";
import { writeLink } from "../core/link";
import { hasData, type RecipeChange } from "../core/recipe";
import { copyRow, copyableField } from "./copy";
import type { Report } from "./drop";
import { Fingerprint } from "./fingerprint";
import { MomentShare, type MomentShareScreen } from "./moment-share";

export interface ShareActions {
  /** Downloads a checkpoint. */
  save: (options: { networkOnly: boolean }) => void;
  /** Downloads the recipe of the run. */
  saveRecipe: () => void;
  /** Opens the dialog with the result code of the run, for a class. */
  resultCode: () => void;
  /** Lets the visitor choose a checkpoint or a recipe file to open. */
  open: (report: Report) => void;
}

export class Share {
  readonly element: HTMLElement;
  #link = copyableField("share-link", "Link to this run from its start");
  #length = el("span", { class: "quiet num" });
  #command = copyableField("share-command", "Command that repeats this run", { mono: true });
  /** Whether the link and the command stop at the present unit (training iteration). */
  #stop = el("input", { type: "checkbox", class: "switch", id: "share-stop" });
  #stopText = el("span", {});
  /** What happens to a file that the visitor has chosen. */
  #fileMessage = el("p", { class: "file-message", role: "alert", hidden: true });
  /** What a link and a command cannot hold of this run. */
  #leftOut = el("p", { class: "quiet small", hidden: true });
  /** The fingerprint at the unit where the link stops, once it is computed; null if it has not been asked for. */
  #endFingerprint: { units: number; fingerprint: string | null } | null = null;
  #embed = el("a", { text: "Put this run on your page" });
  /** What repeats the run from its start. A run that continued from a network has none. */
  #links = el(
    "div",
    {},
    el("label", { for: "share-link" }, "Link to this run from its start ", this.#length),
    copyRow(this.#link),
    el("label", { class: "check" }, this.#stop, this.#stopText),
    el("p", { class: "share-embed" }, this.#embed),
  );
  #commands = el(
    "div",
    {},
    el("label", { for: "share-command", text: "Command that repeats this run in a terminal, at max speed" }),
    copyRow(this.#command),
  );
  #draft: Draft;

  constructor(draft: Draft, actions: ShareActions, screen: MomentShareScreen) {
    this.#draft = draft;
    const { about } = draft.lab;
    this.element = el(
      "section",
      { class: "share", "aria-labelledby": "share-title" },
      el("div", { class: "section-head" }, el("h2", { id: "share-title", text: "Share and save" })),
      el(
        "div",
        { class: "share-grid" },
        el(
          "div",
          { class: "share-links" },
          // First what most want: to show a friend what they see.
          new MomentShare(screen).element,
          this.#links,
          this.#leftOut,
          el(
            "p",
            { class: "row" },
            button("Result code for a class…", actions.resultCode, {
              title: "This run as a code and a QR code, which a teacher's page collects",
            }),
          ),
        ),
        el(
          "div",
          { class: "share-files" },
          el("p", { class: "label", text: "Files" }),
          el(
            "p",
            { class: "row" },
            button("Save checkpoint", () => actions.save({ networkOnly: false }), {
              title: "Everything needed to continue the run, here or on the command line (S)",
            }),
            button("Save network only", () => actions.save({ networkOnly: true }), {
              title: "Only the trained network, without what is needed to continue the run",
            }),
            button("Save recipe", actions.saveRecipe, {
              title: "Seed, settings, every change and the fingerprint: what repeats the run from its start",
            }),
            button("Open a file…", () => actions.open(this.#showFileMessage)),
          ),
          this.#fileMessage,
          el(
            "p",
            { class: "quiet small" },
            "A checkpoint is a saved run: a safetensors file, which Python can read too. A recipe repeats the run from its start; it is short, and also holds your own texts and drawings. You can also drop either on the page to open it.",
          ),
          this.#commands,
          new Fingerprint(draft).element,
        ),
      ),
    );
    listen(this.#stop, { change: () => this.#drawEnd() });
    draft.on("changed", () => this.draw());
    draft.run.on("opened", () => {
      this.#endFingerprint = null;
      this.draw(); // it may compute on another device
    });
    draft.run.on("configured", () => {
      this.#endFingerprint = null;
      if (this.#stop.checked) this.#drawEnd();
    });
    draft.run.on("progress", () => {
      write(this.#stopText, `stop at ${about.unit} ${draft.run.progress.units} (now)`);
      if (this.#stop.checked) this.#drawEnd();
    });
    write(this.#stopText, `stop at ${about.unit} ${draft.run.progress.units} (now)`);
    this.draw();
  }

  #showFileMessage: Report = (text, wrong = false) => {
    write(this.#fileMessage, text);
    this.#fileMessage.hidden = text === "";
    this.#fileMessage.classList.toggle("wrong", wrong);
  };

  /** Writes the link that ends at the present unit. While the run is paused, it gets the fingerprint there too. */
  #drawEnd(): void {
    const { run } = this.#draft;
    const { units, running } = run.progress;
    if (this.#stop.checked && run.open && !running && units > 0 && this.#endFingerprint?.units !== units) {
      this.#endFingerprint = { units, fingerprint: null };
      void this.#findEndFingerprint();
    }
    this.draw();
  }

  async #findEndFingerprint(): Promise<void> {
    const saved = await this.#draft.run.save({ fingerprint: true }).catch(() => null);
    if (!saved || !this.#endFingerprint) return;
    this.#endFingerprint = { units: saved.units, fingerprint: saved.fingerprint ?? null };
    this.draw();
  }

  /** Writes the link and the command of the run as it is now. */
  draw(): void {
    const { lab, run } = this.#draft;
    const { settings, seed, changes } = run.origin();
    const units = this.#stop.checked ? run.progress.units : null;
    const known = this.#endFingerprint?.units === units ? this.#endFingerprint : null;
    const bits = known?.fingerprint && run.networkSince === null ? `${run.bundle.bits}:${known.fingerprint}` : null;
    const end = { changes, bits };
    this.#setLink(location.origin + location.pathname + writeLink(lab, settings, seed, units, run.device, end));
    this.#command.value = commandLine(lab, settings, seed, units, run.device, end);
    this.#embed.href = `embed-maker.html${writeLink(lab, settings, seed)}`;
    const isFromNetwork = run.networkSince !== null;
    this.#links.hidden = this.#commands.hidden = isFromNetwork;
    const leftOut = isFromNetwork
      ? "This run went on from a network that was trained before, and a link would start another run, from fresh weights. To give this agent to somebody, send the file that “Save checkpoint” makes; “Open a file…” opens it."
      : hasData(changes)
        ? "This run learns from your own data (a text, a drawing or a world), which is too long for a link and a command. “Save recipe” holds it."
        : "";
    this.#leftOut.hidden = leftOut === "";
    write(this.#leftOut, leftOut);
    if (hasData(changes) && run.networkSince === null) void this.#addData(changes);
  }

  #setLink(link: string): void {
    this.#link.value = link;
    write(this.#length, `(${formatInteger(link.length)} characters)`);
  }

  /** Adds data of the visitor's own to the link and the command, if they are short enough. */
  async #addData(changes: RecipeChange[]): Promise<void> {
    const link = this.#link.value;
    const part = await import("../core/packed").then(({ packData }) => packData(changes)).catch(() => null);
    if (part === null || this.#link.value !== link) return;
    this.#setLink(link + part);
    this.#command.value = recipeCommand(link.slice(link.indexOf("#")) + part);
    this.#leftOut.hidden = true;
  }
}
