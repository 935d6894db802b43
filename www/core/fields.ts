// Which settings of a lab are shown: those that have an effect beside the chosen learner or task, the few that matter
// most, and those that a search finds. Also how settings are grouped.

import type { Field, Group, LabInfo } from "../generated/protocol";
import { choiceLabel } from "./labels";
import type { Settings } from "./values";

/** The groups in the order in which they are shown, each with what it is about. */
export const GROUPS: { group: Group; title: string; about: string }[] = [
  { group: "acting", title: "Acting", about: "the task, and how the agent gathers experience" },
  { group: "data", title: "Data", about: "what the network is trained on" },
  { group: "learning", title: "Learning", about: "how the network is changed" },
  { group: "network", title: "Network", about: "its size, shape and input" },
  { group: "measuring", title: "Measuring", about: "how progress is tested, and the goal" },
];

/** A setting with a value on a scale. */
export type NumberField = Extract<Field, { kind: "integer" | "number" }>;

/** Whether a setting has a value on a scale. */
export function isNumeric(field: Field): field is NumberField {
  return field.kind === "integer" || field.kind === "number";
}

/** Whether the setting has an effect beside these settings. */
export function applies(field: Field, settings: Settings): boolean {
  return field.applies.every(({ setting, values }) => values.some((value) => value === settings[setting]));
}

/**
 * The setting with this key, or with this title as a key: `mend` and `local_search` are the same. `Field::is_called`
 * reads so too.
 */
export function fieldCalled(lab: LabInfo, key: string): Field | undefined {
  const standardName = ({ title }: Field) =>
    title
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .join("_");
  return lab.fields.find(({ name }) => name === key) ?? lab.fields.find((field) => standardName(field) === key);
}

/** The settings that matter most: those that take effect at once, and those that need a restart, choices first. */
export function mainFields(fields: Field[]): { live: Field[]; restart: Field[] } {
  const main = fields.filter((field) => field.main);
  const restart = main.filter((field) => !field.live);
  const isChoice = ({ kind }: Field) => kind === "choice";
  return {
    live: main.filter((field) => field.live),
    restart: [...restart.filter(isChoice), ...restart.filter((field) => !isChoice(field))],
  };
}

/** Whether each word of a search occurs in the setting's label, name, help, unit or choices. */
export function matchesSearch(field: Field, search: string): boolean {
  const options = field.kind === "choice" ? [...field.options, ...field.options.map(choiceLabel)] : [];
  const { name, title, help, unit } = field;
  const text = [title, name, help, unit, ...options].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
