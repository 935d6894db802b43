// What to try next in the logic lab (www/ui/suggestion.ts).

import { firstSettingsWith } from "../../core/presets";
import type { LogicExperiment } from "../../generated/protocol";
import { compareSettings, newRun, turnDown, turnUp } from "../../ui/common-suggestions";
import type { Suggestions } from "../../ui/suggestion";
import { BREAKING } from "./breaking";
import { drawingTask } from "./drawing";
import { EXPERIMENTS } from "./experiments";

/** The largest grid of the stage, as a multiple of the training grid's width, with its button. */
const LARGEST = { multiple: 4, button: "4×" };

export const suggestions: Suggestions<"logic"> = (state) => {
  const { lab, settings, lost, view } = state;
  const breakable = { ...state, breaking: BREAKING };
  const { experiment, heals } = EXPERIMENTS[settings["experiment"] as LogicExperiment] ?? EXPERIMENTS.checkerboard;
  const all = Object.values(EXPERIMENTS);
  const next = all[(all.findIndex((each) => each.experiment === experiment) + 1) % all.length] ?? EXPERIMENTS.life;
  const own = firstSettingsWith(lab, "experiment", experiment);
  const hasTarget = experiment !== "life";
  // Whether circuits for the targets of visitors repair damage has not been measured.
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
      view.stage.multiple < LARGEST.multiple && {
        text: "Try its circuit on a grid four times as wide",
        deeds: [{ press: LARGEST.button, within: ".logic-controls" }],
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
      ? { text: "New run: learn sixteen numbers per gate instead of four", settings: own }
      : { text: "New run: learn four numbers per gate instead of sixteen", settings: { ...own, parameters: "table" } },
    turnUp(breakable),
    compareSettings,
  ];
};

/** A drawing that is begun in another experiment starts a run of the one in which drawings are learned. */
function targetText(experiment: LogicExperiment, isOwn: boolean): string {
  if (isOwn) return "Give it another target of your own";
  return `Give it a target of your own${drawingTask(experiment) === experiment ? "" : ", learned as a figure"}`;
}
