// The switch "Stop at the goal" of a lab screen.

import { el, listen, write } from "../core/dom";
import type { Run } from "../core/run";
import type { StopAtGoal } from "../core/stop-at-goal";

const TITLE =
  "Pauses a run after the first test that is at its goal even with its margin of error, to save energy; not during the tour or a challenge. " +
  "Your choice is remembered.";

/** A run without a goal has no such switch. */
export function stopChoice(run: Run, stopAtGoal: StopAtGoal): HTMLElement {
  const box = el("input", { type: "checkbox", class: "switch", checked: stopAtGoal.wanted });
  const exception = el("span", { class: "quiet" });
  const element = el("label", { class: "check stop-choice", title: TITLE }, box, "Stop at the goal ", exception);
  const draw = () => {
    element.hidden = run.open && run.goal === null;
    write(exception, stopAtGoal.exception);
  };
  listen(box, {
    change: () => {
      stopAtGoal.wanted = box.checked;
      draw();
    },
  });
  for (const event of ["opened", "progress"] as const) run.on(event, draw);
  stopAtGoal.on("stopped", draw);
  stopAtGoal.on("moved", draw);
  draw();
  return element;
}
