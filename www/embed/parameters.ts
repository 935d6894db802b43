// Reads the parameters of an embed from its address. They stand behind the `?`; behind the `#` may stand the run, as in
// any link of the page (core/link.ts). Reading never fails: what cannot be read is left out and reported in a sentence.

import { DEFAULT_PACE, SLOW_PACE } from "../core/pace";
import { defaultRequest, isFront, readLink, readQuery, type ListedLab, type RunRequest } from "../core/link";
import type { RecipeChange } from "../core/recipe";
import { presetSettings } from "../core/presets";
import { quoted } from "../core/values";
import type { LabInfo } from "../generated/protocol";
import { PARAMETERS } from "./address";

/** The parts that an embed shows unless `hide` names them, and what each is. */
export const USUAL_PARTS = {
  title: "the title of the lab",
  caption: "a sentence about what the agent can do now",
  goal: "the metric of the goal, and the progress towards it",
  run: "the Run and Pause button",
  restart: "the Restart button",
  link: "the link to Learnery",
} as const;

/** The parts that an embed shows only if `show` names them. */
export const MORE_PARTS = {
  choice: "the task menu above the picture",
  controls: "the lab's buttons and numbers inside the picture",
  figures: "all metrics of the lab, below the picture",
} as const;

/**
 * Parts of the page that “Open in Learnery” opens, not of the frame: `hide` leaves them out there. A link with
 * `show=world.…` opens the editor in the frame, where they count too.
 */
export const LINKED_PARTS = {
  editor: "the editor of a world of one's own; without it its rules can only be read",
  rules: "the rules of such a world; without them there is no editor either",
} as const;

export type Part = keyof typeof USUAL_PARTS | keyof typeof MORE_PARTS | keyof typeof LINKED_PARTS;

/** The parts that are shown or offered unless `hide` names them. */
const WITHOUT_HIDE = Object.keys({ ...USUAL_PARTS, ...LINKED_PARTS }) as Part[];
const PARTS = [...WITHOUT_HIDE, ...(Object.keys(MORE_PARTS) as Part[])];
const isPart = (name: string): name is Part => (PARTS as string[]).includes(name);
/** The value of `hide` or `show` that stands for all parts of the frame. */
const ALL_PARTS = "all";
const FRAME_PARTS = PARTS.filter((part) => !Object.hasOwn(LINKED_PARTS, part));

export const THEMES = ["light", "dark"] as const;
/** Training steps per second, by the words of the page; `null` is as fast as possible. */
export const SPEEDS: Record<string, number | null> = { slow: SLOW_PACE, normal: DEFAULT_PACE, max: null };
/** The languages of the captions. */
const LANGUAGES = ["en"];

export interface EmbedOptions {
  /** The run that is shown; null if the address names no lab. */
  request: RunRequest | null;
  parts: ReadonlySet<Part>;
  /** Whether the run begins by itself as soon as the embed is in sight. */
  autoplay: boolean;
  /** Training steps per second; undefined for the default of the lab. */
  pace: number | null | undefined;
  /** Null follows the system. */
  theme: (typeof THEMES)[number] | null;
  lang: string;
  /** The origin of the page around the embed, which may send and gets messages; null for none. */
  origin: string | null;
  /** What could not be read, one sentence each, without a full stop. */
  problems: string[];
}

/** Reads the address of an embed. */
export async function readParameters(search: string, hash: string, labs: ListedLab[]): Promise<EmbedOptions> {
  const values = new URLSearchParams(search);
  const problems: string[] = [];
  const known: string[] = [...PARAMETERS, "origin", "embed"];
  for (const name of new Set(values.keys()))
    if (!known.includes(name)) problems.push(`An embed has no parameter called ${quoted(name)}`);
  /** The value of a parameter if it is one of these; otherwise it is reported. */
  const oneOf = <Value extends string>(name: string, allowed: readonly Value[]): Value | null => {
    const value = values.get(name);
    if (value === null || allowed.includes(value as Value)) return value as Value | null;
    const named = allowed.filter((each) => each !== "").join(", ");
    problems.push(`${quoted(value)} is not allowed for ${name}; it takes ${named}`);
    return null;
  };
  const parts = readParts(values, problems);
  const request = isFront(hash)
    ? await readNamedRun(values, labs, problems)
    : await readLinkedRun(values, hash, labs, problems);
  // Where the data are lost another world follows, and its rules must not look like those that are hidden.
  if (request && !request.isDataLost) {
    if (!parts.has("rules")) request.hide = "rules";
    else if (!parts.has("editor")) request.hide ??= "editor";
  }
  const speed = oneOf("speed", Object.keys(SPEEDS));
  return {
    request,
    parts,
    autoplay: (oneOf("autoplay", ["", "true", "false"]) ?? "false") !== "false",
    pace: speed === null ? undefined : SPEEDS[speed],
    theme: oneOf("theme", THEMES),
    lang: readLanguage(values.get("lang"), problems),
    origin: readOrigin(values.get("origin"), problems),
    problems,
  };
}

/** The run that `lab`, `preset` and `seed` name. */
async function readNamedRun(
  values: URLSearchParams,
  labs: ListedLab[],
  problems: string[],
): Promise<RunRequest | null> {
  const id = values.get("lab");
  const listed = labs.find((lab) => lab.id === id);
  if (!listed) {
    const names = labs.map((lab) => lab.id).join(", ");
    problems.push(
      id === null
        ? `The address of this embed names no lab: add lab= and one of ${names}`
        : `There is no lab called ${quoted(id)}; there are ${names}`,
    );
    return null;
  }
  const lab = await listed.load();
  const request = { ...defaultRequest(lab), settings: readPreset(lab, values.get("preset"), problems) };
  const seed = values.get("seed");
  if (seed === null) return request;
  const read = readQuery(lab, [["seed", seed]]);
  problems.push(...read.problems);
  return { ...request, seed: read.request.seed };
}

function readPreset(lab: LabInfo, name: string | null, problems: string[]): RunRequest["settings"] {
  if (name === null) return {};
  const { title, presets } = lab.about;
  const preset = presets.find((each) => each.name === name);
  if (preset) return presetSettings(preset);
  const names = presets.map((each) => each.name).join(", ");
  problems.push(`${title} has no preset called ${quoted(name)}; it has ${names}`);
  return {};
}

/** The run behind the `#`. What an embed does not do with a run is reported. */
async function readLinkedRun(
  values: URLSearchParams,
  hash: string,
  labs: ListedLab[],
  problems: string[],
): Promise<RunRequest | null> {
  for (const name of ["lab", "preset", "seed"])
    if (values.has(name)) problems.push(`The link after the # already defines the run, so ${name} is ignored`);
  const { request, problems: inLink } = await readLink(hash, labs);
  problems.push(...inLink);
  if (!request) return null;
  const ignored = ignoredInLink(request);
  if (ignored) problems.push(ignored);
  return { ...request, changes: startingData(request), units: null, bits: null, device: null, challenge: null };
}

/** Data of the author's own that the run of a link starts with, as a change before its first unit. */
export function startingData({ changes }: Pick<RunRequest, "changes">): RecipeChange[] {
  const first = changes.find(({ unit, data }) => unit === 0 && data !== null);
  return first ? [{ unit: 0, settings: {}, seed: null, data: first.data }] : [];
}

/** Says what an embed does not do with the run of a link; null if there is nothing. */
export function ignoredInLink({ changes, units, bits, device, challenge }: RunRequest): string | null {
  const isChange = ({ unit, settings, seed, data }: RecipeChange) =>
    unit > 0 || data === null || seed !== null || Object.keys(settings).length > 0;
  const given = { change: changes.some(isChange), units: units !== null, bits: bits !== null };
  const ignored = { ...given, device: device === "gpu", challenge: challenge !== null };
  const names = Object.entries(ignored).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  return names.length > 0
    ? `An embed starts a new run on one thread, so it ignores ${names.join(", ")} of the link`
    : null;
}

/** The parts that are shown: the usual ones without the parts in `hide`, and the parts in `show`. */
function readParts(values: URLSearchParams, problems: string[]): Set<Part> {
  const named = (parameter: string): Part[] => {
    const names = values.getAll(parameter).flatMap((value) => value.split(/[\s,]+/).filter(Boolean));
    return names.flatMap((name) => {
      if (name === ALL_PARTS) return FRAME_PARTS;
      if (isPart(name)) return [name];
      problems.push(`${quoted(name)} is not allowed for ${parameter}; it takes ${[...PARTS, ALL_PARTS].join(", ")}`);
      return [];
    });
  };
  const hidden = named("hide");
  const usual = WITHOUT_HIDE.filter((part) => !hidden.includes(part));
  return new Set([...usual, ...named("show")]);
}

function readLanguage(value: string | null, problems: string[]): string {
  if (value === null) return "en";
  if (LANGUAGES.includes(value.split("-")[0]?.toLowerCase() ?? "")) return value;
  problems.push(`There are no captions in the language ${quoted(value)}; there are ${LANGUAGES.join(", ")}`);
  return "en";
}

function readOrigin(value: string | null, problems: string[]): string | null {
  if (value === null) return null;
  try {
    const { protocol, origin } = new URL(value);
    if (/^https?:$/.test(protocol) && origin === value) return value;
  } catch {
    // It is reported below.
  }
  problems.push(`${quoted(value)} is not the origin of a page, such as https://example.org, so no messages are sent`);
  return null;
}
