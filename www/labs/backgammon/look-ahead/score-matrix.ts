// A table of what to do with the cube at every score, in a dialog. Loaded when it is opened.

import "./score-matrix.css";
import { button, el, write } from "../../../core/dom";
import { createDialog } from "../../../ui/dialog";
import type { BackgammonScoreDecision } from "../../../generated/protocol";
import { describeRefusal } from "../refusal";
import { ADVICE, adviceOf, cellOf, MAX_AWAY, type Advice } from "./scores";

/** Asks about every score up to `MAX_AWAY` points away. Calls `show` with each decision as soon as it is known. */
export type AskScores = (show: (decision: BackgammonScoreDecision) => void, signal: AbortSignal) => Promise<unknown>;

/** Opens the table for a position. `name` is who is on roll, and `depth` says how far the network looks ahead. */
export function openScoreMatrix(name: string, depth: string, ask: AskScores): HTMLDialogElement {
  const questions = new AbortController();
  const status = el("p", { class: "quiet", role: "status" });
  const columns = Array.from({ length: MAX_AWAY }, (_, i) => i + 1);
  const cells = Array.from({ length: MAX_AWAY * MAX_AWAY }, () => el("td", {}));
  const bar = el("progress", { max: cells.length, value: 0, "aria-label": "Judged scores" });
  const row = (away: number) => {
    const own = cells.slice(cellOf([away, 1]), cellOf([away, MAX_AWAY]) + 1);
    return el("tr", {}, el("th", { scope: "row", text: String(away) }), ...own);
  };
  const table = el(
    "table",
    { class: "score-matrix" },
    el("caption", {
      text: "Rows: points that the side to roll still needs. Columns: points that the other side needs.",
    }),
    el("tr", {}, el("td", {}), ...columns.map((away) => el("th", { scope: "col", text: String(away) }))),
    ...columns.map(row),
  );
  const legend = el(
    "ul",
    { class: "score-legend" },
    ...Object.entries(ADVICE).map(([advice, { short, long }]) =>
      el("li", {}, el("span", { class: `advice ${advice}`, text: short }), ` ${long}`),
    ),
  );
  const dialog: HTMLDialogElement = createDialog(
    {
      class: "score-dialog",
      titleId: "score-matrix-title",
      title: "The cube at every score",
      closed: () => {
        questions.abort();
        dialog.remove();
      },
    },
    el("p", {
      class: "quiet",
      text: `What ${name} should do with a cube in the middle, judged at ${depth}. A side that needs one point is taken to have played the one game without doubling, the Crawford game.`,
    }),
    table,
    legend,
    bar,
    status,
    el(
      "div",
      { class: "dialog-actions button-group" },
      button("Close", () => dialog.close(), { class: "primary" }),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  void fill();
  return dialog;

  /** Shows each decision in its cell. */
  async function fill(): Promise<void> {
    const show = (decision: BackgammonScoreDecision) => {
      showAdvice(cells[cellOf(decision.away)] as HTMLElement, adviceOf(decision));
      bar.value += 1;
    };
    try {
      await ask(show, questions.signal);
      bar.hidden = true;
    } catch (error) {
      bar.hidden = true;
      if (!questions.signal.aborted)
        write(status, describeRefusal(error, "The network could not be asked. Check the network connection."));
    }
  }
}

function showAdvice(cell: HTMLElement, advice: Advice): void {
  write(cell, advice === null ? "–" : ADVICE[advice].short);
  cell.title = advice === null ? "no double is possible, or it could win nothing" : ADVICE[advice].long;
  cell.className = `advice ${advice ?? "none"}`;
}
