// A table of what to do with the cube at every score, in a dialog. Loaded when it is opened.

import "./score-matrix.css";
import { button, el, write } from "../../../core/dom";
import { createDialog } from "../../../ui/dialog";
import { describeRefusal } from "../refusal";
import type { SetUp } from "../set-up/xgid";
import { ADVICE, adviceOf, MAX_AWAY, positionAt, SCORES, type Advice } from "./scores";

/** Resolves to the analysis of a cube decision; null if the question was ended. */
export type AskCube = (position: string, signal: AbortSignal) => Promise<unknown>;

/** Opens the table for a position. `name` is who is on roll, and `depth` says how far the network looks ahead. */
export function openScoreMatrix(setUp: SetUp, name: string, depth: string, ask: AskCube): HTMLDialogElement {
  const questions = new AbortController();
  const status = el("p", { class: "quiet", role: "status" });
  const bar = el("progress", { max: SCORES.length, value: 0, "aria-label": "Judged scores" });
  const cells = SCORES.map(() => el("td", {}));
  const columns = Array.from({ length: MAX_AWAY }, (_, i) => i + 1);
  const row = (away: number) =>
    el("tr", {}, el("th", { scope: "row", text: String(away) }), ...cells.filter((_, i) => SCORES[i]?.[0] === away));
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

  /** Asks about one score after the other. */
  async function fill(): Promise<void> {
    try {
      for (const [i, score] of SCORES.entries()) {
        const analysis = await ask(positionAt(setUp, score), questions.signal);
        if (questions.signal.aborted) return;
        showAdvice(cells[i] as HTMLElement, adviceOf(analysis));
        bar.value = i + 1;
      }
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
