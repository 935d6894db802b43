// What to try next in the logic lab (www/ui/suggestion.ts).

import { firstSettingsWith } from "../../core/presets";
import type { LogicExperiment } from "../../generated/protocol";
import { compareSettings, newRun, turnDown, turnUp } from "../../ui/common-suggestions";
import type { Suggestions } from "../../ui/suggestion";
import { BREAKING } from "./breaking";
import { drawingTask } from "./drawing";
import { EXPERIMENTS } from "./experiments";

/** The largest grid of the stage: its width in widths of the training grid, and the text of its button. */
const LARGEST_GRID = { multiple: 4, button: "4×" };

export const suggestions: Suggestions<"logic"> = (state) => {
  const { lab, settings, lost, view } = state;
  // For the suggestions that break a run by turning a setting too far.
  const breakable = { ...state, breaking: BREAKING };
  const { experiment, heals } = EXPERIMENTS[settings["experiment"] as LogicExperiment] ?? EXPERIMENTS.checkerboard;
  const all = Object.values(EXPERIMENTS);
  const next = all[(all.findIndex((each) => each.experiment === experiment) + 1) % all.length] ?? EXPERIMENTS.life;
  const presetOfExperiment = firstSettingsWith(lab, "experiment", experiment);
  const hasTarget = experiment !== "life";
  // Only where it was measured that circuits repair damage, which it was not for targets of visitors.
  const mayHeal = heals && view !== null && !view.ownTarget;
  return [
    turnDown(breakable),
    newRun(breakable),
    !lost &&
      mayHeal && {
        text: "Hurt the picture, and see whether it heals",
        deeds: [{ press: "Damage the middle", within: ".logic-controls" }],
      },
    view !== null &&
      view.stage.multiple < LARGEST_GRID.multiple && {
        text: "Try its circuit on a grid four times as wide",
        deeds: [{ press: LARGEST_GRID.button, within: ".logic-controls" }],
      },
    {
      text: `New run: the next task, ${next.outcome}`,
      settings: firstSettingsWith(lab, "experiment", next.experiment),
    },
    hasTarget && {
      text: targetText(experiment, view?.ownTarget === true),
      deeds: [{ press: "Draw a target" }],
    },
    !lost && { text: "Download its circuit for a chip, as Verilog", deeds: [{ press: "Verilog" }] },
    settings["parameters"] === "table"
      ? { text: "New run: learn sixteen numbers per gate instead of four", settings: presetOfExperiment }
      : {
          text: "New run: learn four numbers per gate instead of sixteen",
          settings: { ...presetOfExperiment, parameters: "table" },
        },
    turnUp(breakable),
    compareSettings,
  ];
};

/** The suggestion to draw a target. Where drawings cannot be learned, it starts a run of another experiment. */
function targetText(experiment: LogicExperiment, isOwn: boolean): string {
  if (isOwn) return "Give it another target of your own";
  return `Give it a target of your own${drawingTask(experiment) === experiment ? "" : ", learned as a figure"}`;
}
