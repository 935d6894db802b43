// The switch "Stop at the goal" of a lab screen.

import { el, listen } from "../core/dom";
import type { Run } from "../core/run";
import type { StopAtGoal } from "../core/stop-at-goal";

const TITLE =
  "Pauses a run the first time it has surely reached its goal, to save energy; not during the tour or a challenge. " +
  "Your choice is remembered.";

/** A run without a goal has no such switch. */
export function stopChoice(run: Run, stopAtGoal: StopAtGoal): HTMLElement {
  const box = el("input", { type: "checkbox", class: "switch", checked: stopAtGoal.wanted });
  listen(box, { change: () => (stopAtGoal.wanted = box.checked) });
  const element = el("label", { class: "check stop-choice", title: TITLE }, box, "Stop at the goal");
  const draw = () => (element.hidden = run.open && run.goal === null);
  run.on("opened", draw);
  draw();
  return element;
}
