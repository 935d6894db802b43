// What the page calls a setting and its choices.

import type { JsonValue, LabInfo } from "../generated/protocol";
import { spaced } from "./format";
import { settingText } from "./values";

/** The title of the setting `name`, or of the seed. */
export function settingTitle(lab: LabInfo | null | undefined, name: string): string {
  return lab?.fields.find((field) => field.name === name)?.title ?? spaced(name);
}

/** The label of a metric. */
export function metricLabel(lab: LabInfo, name: string): string {
  return lab.about.metrics.find((metric) => metric.name === name)?.label ?? name;
}

/** Labels of choices whose label is not their id with blanks. */
const CHOICE_LABELS: Record<string, string> = {
  acrobot: "Acrobot",
  adamw: "AdamW",
  afterstates: "TD(lambda)",
  alphazero: "AlphaZero",
  cartpole: "CartPole",
  cayleypy: "CayleyPy",
  davi: "value iteration",
  dqn: "deep Q-learning",
  efficientcube: "EfficientCube",
  mountaincar: "MountainCar",
  muon: "Muon",
  pendulum: "Pendulum",
};

/** The label of a choice of a setting. */
export function choiceLabel(choice: string): string {
  return CHOICE_LABELS[choice] ?? spaced(choice);
}

/** The value of a setting in a text. */
export function valueLabel(value: JsonValue): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "string" ? choiceLabel(value) : settingText(value);
}
