// A run as a link and as a command. `#/control?seed=7&worlds=256` names the lab, the seed and the settings that differ
// from the defaults; `units` is where the run stops. Whatever cannot be read is left at its default and reported in a
// sentence.

import type { Field, JsonValue, LabInfo } from "../generated/protocol";

export type Settings = Record<string, JsonValue>;

/** The run that a link asks for. `explicit` is false for a bare `#/control`, which asks for no particular run. */
export interface RunRequest {
  lab: LabInfo;
  seed: number;
  settings: Settings;
  units: number | null;
  explicit: boolean;
}

export interface ReadLink {
  request: RunRequest | null;
  gallery: boolean;
  problems: string[];
}

const MAX_SEED = 0xffff_ffff;
export const DEFAULT_SEED = 0;

/** Reads the value of a setting. A text that is not allowed gives a sentence that says what is. */
export function parseValue(field: Field, text: string): { value: JsonValue } | { problem: string } {
  const refuse = (expected: string) => ({
    problem: `“${text}” is not allowed for ${field.name}; it takes ${expected}`,
  });
  switch (field.kind) {
    case "integer":
    case "number": {
      const n = Number(text.trim().replace(",", "."));
      const integer = field.kind === "integer";
      const fits = text.trim() !== "" && n >= field.min && n <= field.max && (!integer || Number.isInteger(n));
      return fits
        ? { value: n }
        : refuse(`${integer ? "a whole number" : "a number"} from ${field.min} to ${field.max}`);
    }
    case "switch":
      return text === "true" || text === "false" ? { value: text === "true" } : refuse("true or false");
    case "choice":
      return field.options.includes(text) ? { value: text } : refuse(`one of ${field.options.join(", ")}`);
  }
}

/** A setting's value as it stands in links and commands. */
export function settingText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A lab of which only the id is known until its information is loaded. */
export interface ListedLab {
  id: string;
  load: () => Promise<LabInfo>;
}

/** Reads the hash of an address. Unknown labs and settings and values out of range become `problems`. */
export async function readLink(hash: string, labs: ListedLab[]): Promise<ReadLink> {
  const text = hash.replace(/^#\/?/, "");
  const first = labs[0];
  if (text === "labs" || !first) return { request: null, gallery: true, problems: [] };
  const [name = "", query = ""] = text.split("?", 2);
  const problems: string[] = [];
  const listed = labs.find(({ id }) => id === name);
  const lab = await (listed ?? first).load();
  if (!listed && name !== "") {
    problems.push(`There is no lab called “${name.slice(0, 40)}”, so this is ${lab.about.title}`);
  }
  const wish: RunRequest = { lab, seed: DEFAULT_SEED, settings: {}, units: null, explicit: false };
  for (const [key, value] of new URLSearchParams(query)) {
    const field = lab.fields.find((candidate) => candidate.name === key);
    if (field) {
      const parsed = parseValue(field, value);
      if ("problem" in parsed) problems.push(`${parsed.problem}, so its default is used`);
      else wish.settings[key] = parsed.value;
    } else if (key === "seed" || key === "units") {
      const n = Number(value);
      if (value.trim() !== "" && Number.isInteger(n) && n >= 0 && n <= MAX_SEED) wish[key] = n;
      else problems.push(`“${value.slice(0, 40)}” is not a whole number for ${key}`);
    } else {
      problems.push(`${lab.about.title} has no setting called “${key.slice(0, 40)}”`);
      continue;
    }
    wish.explicit = true;
  }
  wish.settings = changedSettings(lab, wish.settings);
  return { request: wish, gallery: false, problems };
}

/** The settings that differ from the defaults, in the order of the schema. */
export function changedSettings(lab: LabInfo, settings: Settings): Settings {
  const kept = lab.fields.filter((field) => field.name in settings && settings[field.name] !== field.default);
  return Object.fromEntries(kept.map((field) => [field.name, settings[field.name] as JsonValue]));
}

/** The link of a run, as the hash of an address. */
export function writeLink(lab: LabInfo, settings: Settings, seed: number, units: number | null = null): string {
  const query = new URLSearchParams({ seed: String(seed) });
  for (const [name, value] of Object.entries(changedSettings(lab, settings))) query.set(name, settingText(value));
  if (units !== null) query.set("units", String(units));
  return `#/${lab.about.id}?${query}`;
}

/** The command that trains the same run in a terminal. */
export function commandLine(lab: LabInfo, settings: Settings, seed: number, units: number | null = null): string {
  const parts = [`cargo run --release -- train ${lab.about.id} --seed ${seed}`];
  for (const [name, value] of Object.entries(changedSettings(lab, settings)))
    parts.push(`--set ${name}=${settingText(value)}`);
  if (units !== null) parts.push(`--units ${units}`);
  return parts.join(" ");
}

/** True for runs with equal settings and seeds. */
export function sameRun(lab: LabInfo, a: Settings, seedA: number, b: Settings, seedB: number): boolean {
  return writeLink(lab, a, seedA) === writeLink(lab, b, seedB);
}
