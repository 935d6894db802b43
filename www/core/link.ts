// Reads and writes a run as a link and as a command. The link `#/control?seed=7&worlds=256` names the lab, the seed and
// the settings that differ from the defaults; `units=N` makes the run stop after N units (training iterations), and
// `device=gpu` lets it compute on the GPU. A part that cannot be read falls back to its default and is reported in a
// sentence.

import type { Device } from "./bundle";
import type { Field, JsonValue, LabInfo } from "../generated/protocol";

export type Settings = Record<string, JsonValue>;

/** The run that a link asks for. `explicit` is false for a bare `#/control`, which asks for no particular run. */
export interface RunRequest {
  lab: LabInfo;
  seed: number;
  /** The settings that differ from the defaults. */
  settings: Settings;
  /** The unit at which the run stops; null to run on. */
  units: number | null;
  /** What the run shall compute on; null if the link does not say. */
  device: Device | null;
  /** A challenge as it stands in the link (see core/challenge.ts); null without one. */
  challenge: string | null;
  explicit: boolean;
}

export interface ReadLink {
  /** The requested run, or null if the link asks for the front, as a bare address does. */
  request: RunRequest | null;
  front: boolean;
  /** What could not be read, one sentence each, without a full stop. */
  problems: string[];
}

export const MAX_SEED = 0xffff_ffff;
export const DEFAULT_SEED = 0;
/** At most this many problems are listed. If there are more, the last sentence says how many are left out. */
const MAX_PROBLEMS = 8;
/** Longer texts are cut when they are quoted. */
const MAX_QUOTED = 40;

/** Quotes a part of a link on one line, without control characters and at most `MAX_QUOTED` characters long. */
function quoted(text: string): string {
  // `\p{C}` matches control characters, unpaired surrogates and the marks that reverse the direction of writing.
  const line = text
    .slice(0, 4 * MAX_QUOTED) // keeps the work small; a character has up to two units, and some are removed below
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return `“${characters.length > MAX_QUOTED ? `${characters.slice(0, MAX_QUOTED).join("")}…` : line}”`;
}

/** Reads a number. A text that is not a number gives NaN; minus zero gives zero. */
function parseNumber(text: string): number {
  if (text.trim() === "") return NaN; // `Number` would give 0.
  return Number(text) + 0; // Adding 0 turns minus zero into zero.
}

/** Reads the value of a setting. If the text is not allowed, `problem` says in a sentence which values are. */
export function parseValue(field: Field, text: string): { value: JsonValue } | { problem: string } {
  const refuse = (expected: string) => ({
    problem: `${quoted(text)} is not allowed for ${field.name}; it takes ${expected}`,
  });
  switch (field.kind) {
    case "integer":
    case "number": {
      const n = parseNumber(text.replace(",", ".")); // some visitors type a decimal comma
      const integer = field.kind === "integer";
      const fits = n >= field.min && n <= field.max && (!integer || Number.isInteger(n));
      return fits
        ? { value: n }
        : refuse(`${integer ? "a whole number" : "a number"} from ${field.min} to ${field.max}`);
    }
    case "switch":
      return text === "true" || text === "false" ? { value: text === "true" } : refuse("true or false");
    case "choice":
      return field.options.includes(text) ? { value: text } : refuse(`one of ${field.options.join(", ")}`);
    // The schema also describes options of the command line, which no lab has among its settings.
    case "file":
    case "opponent":
      return refuse("no value, because it is an option of evaluations on the command line");
  }
}

/** A setting's value as it is written in links and commands. */
export function settingText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An entry in the list of labs. The lab's information is loaded on demand. */
export interface ListedLab {
  id: string;
  load: () => Promise<LabInfo>;
}

/** Reads the hash of an address (`#/…`). Unknown labs, unknown settings and values out of range become `problems`. */
export async function readLink(hash: string, labs: ListedLab[]): Promise<ReadLink> {
  const text = hash.replace(/^#\/?/, "");
  const first = labs[0];
  if (text === "" || text === "labs" || !first) return { request: null, front: true, problems: [] };
  const [name = "", query = ""] = text.split("?", 2);
  const problems = new Set<string>();
  const listed = labs.find(({ id }) => id === name);
  const lab = await (listed ?? first).load();
  if (!listed && name !== "") {
    problems.add(`There is no lab called ${quoted(name)}, so this is ${lab.about.title}`);
  }
  const request: RunRequest = {
    lab,
    seed: DEFAULT_SEED,
    settings: {},
    units: null,
    device: null,
    challenge: null,
    explicit: false,
  };
  // If a key is repeated, its last value counts, even if that value is not allowed.
  for (const [key, value] of new URLSearchParams(query)) {
    const field = lab.fields.find((candidate) => candidate.name === key);
    if (field) {
      const parsed = parseValue(field, value);
      if ("problem" in parsed) problems.add(`${parsed.problem}, so its default is used`);
      request.settings[key] = "problem" in parsed ? field.default : parsed.value;
    } else if (key === "seed" || key === "units") {
      const n = parseNumber(value);
      const fits = Number.isInteger(n) && n >= 0 && n <= MAX_SEED;
      if (!fits)
        problems.add(`${quoted(value)} is not allowed for ${key}; it takes a whole number from 0 to ${MAX_SEED}`);
      if (key === "seed") request.seed = fits ? n : DEFAULT_SEED;
      else request.units = fits ? n : null;
    } else if (key === "challenge") {
      request.challenge = value;
      continue; // a challenge alone asks for no particular run
    } else if (key === "device") {
      const known = value === "cpu" || value === "gpu";
      if (!known) problems.add(`${quoted(value)} is not allowed for device; it takes cpu or gpu`);
      if (value === "gpu" && !lab.usesGpu) problems.add(`${lab.about.title} cannot compute on a GPU yet`);
      request.device = known && lab.usesGpu ? value : null;
      continue; // a device asks for no particular run
    } else {
      problems.add(`${lab.about.title} has no setting called ${quoted(key)}`);
      continue;
    }
    request.explicit = true;
  }
  request.settings = changedSettings(lab, request.settings);
  return { request, front: false, problems: firstProblems([...problems]) };
}

/** At most `MAX_PROBLEMS` sentences. */
function firstProblems(problems: string[]): string[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  // The sentence about the others takes the place of one problem.
  const others = problems.length - MAX_PROBLEMS + 1;
  return [...problems.slice(0, MAX_PROBLEMS - 1), `The link has ${others} more problems`];
}

/** The settings that differ from the defaults, in the order of the schema. */
export function changedSettings(lab: LabInfo, settings: Settings): Settings {
  const kept = lab.fields.filter((field) => field.name in settings && settings[field.name] !== field.default);
  return Object.fromEntries(kept.map((field) => [field.name, settings[field.name] as JsonValue]));
}

/** The link of a run, as the hash of an address. */
export function writeLink(
  lab: LabInfo,
  settings: Settings,
  seed: number,
  units: number | null = null,
  device: Device = "cpu",
): string {
  const query = new URLSearchParams({ seed: String(seed) });
  for (const [name, value] of Object.entries(changedSettings(lab, settings))) query.set(name, settingText(value));
  if (units !== null) query.set("units", String(units));
  if (device !== "cpu") query.set("device", device);
  return `#/${lab.about.id}?${query}`;
}

/** The command that trains the same run in a terminal. */
export function commandLine(
  lab: LabInfo,
  settings: Settings,
  seed: number,
  units: number | null = null,
  device: Device = "cpu",
): string {
  const parts = [`cargo run --release -- train ${lab.about.id} --seed ${seed}`];
  for (const [name, value] of Object.entries(changedSettings(lab, settings)))
    parts.push(`--set ${name}=${settingText(value)}`);
  if (units !== null) parts.push(`--units ${units}`);
  if (device !== "cpu") parts.push(`--device ${device}`);
  return parts.join(" ");
}

/** True for runs with equal settings and seeds. */
export function sameRun(lab: LabInfo, a: Settings, seedA: number, b: Settings, seedB: number): boolean {
  return writeLink(lab, a, seedA) === writeLink(lab, b, seedB);
}
