// Reads and writes a run as a link and as a command. The link `#/control?seed=7&worlds=256` names the lab, the seed and
// the settings that differ from the defaults. What changed during the run follows as
// `change=40:learning_rate=0.001,clip=0.1` and `change=60:seed=9`, with the unit (training iteration) of each change.
// `units=N` makes the run stop after N units, `device=gpu` lets it compute on the GPU, and
// `bits=fused:0123456789abcdef` is the fingerprint that it has at its end. `data=0:…` is data of a visitor's own
// (core/packed.ts). `challenge=`, `show=` and `moment=` are for the lab's screen: a task for the visitor, what its
// picture shows first, such as a position of a game, and the last picture of the sender (core/moment-link.ts); they say
// nothing about the run, nor does `hide=`, which names a part of the lab that the page leaves out. `story=1` tells the
// run's story once it has been repeated, and `duel=` prepares a duel with the agent of another link. A part that cannot
// be read falls back to its default and is reported in a sentence. `crates/lab/src/recipe/link.rs` reads the same
// grammar, with the cases of tests/golden/recipes.json.

import { fieldCalled } from "./fields";
import type { Device } from "./bundle";
import {
  changesInLink,
  changeText,
  inOrder,
  notWhole,
  parseBits,
  parseChange,
  parseWhole,
  type RecipeChange,
  endOf,
} from "./recipe";
import { parseValue, quoted, settingText, type Settings } from "./values";
import type { JsonValue, LabInfo } from "../generated/protocol";

export { MAX_SEED } from "./recipe";
export { parseValue, settingText, type Settings } from "./values";

/** What a link can hide: the editor of the lab's rules, or the rules and with them the editor. */
const HIDDEN_PARTS = ["editor", "rules"] as const;
export type HiddenPart = (typeof HIDDEN_PARTS)[number];

/** The place of a mistake in rules, as the lab writes it. What follows it may quote them. */
const PLACE_IN_RULES = /\bline \d+, column \d+\b/;

/** Why the lab has refused something, without the rules that the link hides. */
export function withoutHidden(reason: string, hidden: HiddenPart | null): string {
  if (hidden !== "rules" || !PLACE_IN_RULES.test(reason)) return reason;
  return "this world cannot be used, because its rules have a mistake; ask whoever gave you the link for a new one";
}

/** The run that a link asks for. `explicit` is false for a bare `#/control`, which asks for no particular run. */
export interface RunRequest {
  lab: LabInfo;
  seed: number;
  /** The settings at the start that differ from the defaults. */
  settings: Settings;
  /** What changes during the run, in the order of the units. */
  changes: RecipeChange[];
  /** The unit at which the run stops; null to run on. */
  units: number | null;
  /** What the run shall compute on; null if the link does not say. */
  device: Device | null;
  /** A challenge as it stands in the link (see core/challenge.ts); null without one. */
  challenge: string | null;
  /** What the lab's view is asked to show, as it stands in the link (see `LabView.show`); null for nothing. */
  show: string | null;
  /** The part of the lab's view that the page leaves out (see `LabView.hide`); null for none. */
  hide: HiddenPart | null;
  /** Whether the link has data for the beginning of the run that cannot be read, so that another run follows. */
  isDataLost: boolean;
  /** What the page says of lost data of which the link hid a part: nothing is left to hide. Null for none. */
  lost: string | null;
  /** What the sender saw at the last unit, as it stands in the link (see core/moment-link.ts); null without it. */
  moment: string | null;
  /**
   * The link of another agent behind its “?”, which the run's agent shall meet (core/duel/duel-link.ts); null without
   * it.
   */
  duel: string | null;
  /** Whether the run's story is told once it has been repeated (ui/run-story); a run that is not repeated has none. */
  story: boolean;
  /** The fingerprint that the run has when it stops, or its first digits, see `parseBits`; null if it is not known. */
  bits: string | null;
  explicit: boolean;
}

/** The request for a run up to its last unit, at which it has one agent. */
export type AgentRequest = RunRequest & { units: number };

/** What was read from the hash of an address. */
export interface ReadLink {
  /** The requested run, or null if the link asks for the front, as a bare address does. */
  request: RunRequest | null;
  /** What could not be read, one sentence each, without a full stop. */
  problems: string[];
}

/** The seed of a run whose link names none. */
export const DEFAULT_SEED = 0;
/** At most this many problems are listed. If there are more, the last sentence says how many are left out. */
const MAX_PROBLEMS = 8;
/** The number of digits of a fingerprint in a link. */
const FINGERPRINT_DIGITS = 16;

/** An entry in the list of labs. The lab's information is loaded on demand. */
export interface ListedLab {
  id: string;
  load: () => Promise<LabInfo>;
}

/** A request for no particular run of a lab: its saved run, or one with the default settings. */
export function defaultRequest(lab: LabInfo): RunRequest {
  return {
    lab,
    seed: DEFAULT_SEED,
    settings: {},
    changes: [],
    units: null,
    device: null,
    challenge: null,
    show: null,
    hide: null,
    isDataLost: false,
    lost: null,
    moment: null,
    duel: null,
    story: false,
    bits: null,
    explicit: false,
  };
}

/** The hash of an address without its beginning. */
const pathOf = (hash: string) => hash.replace(/^#\/?/, "");

/** Whether the hash of an address asks for the front. */
export function isFront(hash: string): boolean {
  return ["", "labs"].includes(pathOf(hash));
}

/** Reads the hash of an address (`#/…`). Unknown labs, unknown settings and values out of range become `problems`. */
export async function readLink(hash: string, labs: ListedLab[]): Promise<ReadLink> {
  const text = pathOf(hash);
  const first = labs[0];
  if (isFront(hash) || !first) return { request: null, problems: [] };
  const [name = "", query = ""] = text.split("?", 2);
  const listed = labs.find(({ id }) => id === name);
  const lab = await (listed ?? first).load();
  const { request, problems } = await readRun(lab, query);
  if (request.story && endOf(request) === 0) {
    problems.push("The link does not say up to which unit its run is repeated, so no story is told");
    request.story = false;
  }
  const { duel } = request;
  if (duel !== null) {
    const { whyNoDuel } = await import("./duel/agent");
    const noDuel = whyNoDuel(request.units, duel, await readRun(lab, duel));
    if (noDuel !== null) {
      problems.push(noDuel);
      request.duel = null;
    }
  }
  if (!listed && name !== "") problems.unshift(`There is no lab called ${quoted(name)}, so this is ${lab.about.title}`);
  return { request, problems: firstProblems([...new Set(problems)]) };
}

/** Reads what stands behind the “?” of a link to a run of this lab, with its data. */
export async function readRun(lab: LabInfo, query: string): Promise<{ request: RunRequest; problems: string[] }> {
  const { request, problems, data } = readQuery(lab, new URLSearchParams(query));
  if (data.length > 0) {
    const { withData } = await import("./packed");
    const report = (problem: string) => problems.push(problem);
    const { changes, lostStart } = await withData(request.changes, data, request.units, report);
    request.changes = changes;
    request.isDataLost = lostStart !== null;
    if (lostStart !== null && request.hide !== null) {
      // What follows is not the run of the link, and its rules must not look like those that the link hides.
      request.hide = null;
      request.lost = lostStart;
    }
  }
  return { request, problems };
}

/** Reads the keys and values of a link or a recipe file. `data` are packed data, which are not read yet. */
export function readQuery(
  lab: LabInfo,
  pairs: Iterable<[string, string]>,
): { request: RunRequest; problems: string[]; data: string[] } {
  const problems: string[] = [];
  const data: string[] = [];
  const request = defaultRequest(lab);
  // If a key is repeated, its last value counts, even if that value is not allowed. Changes add up.
  for (const [key, value] of pairs) {
    const field = fieldCalled(lab, key);
    if (field) {
      const parsed = parseValue(field, value);
      if ("problem" in parsed) problems.push(`${parsed.problem}, so its default is used`);
      request.settings[field.name] = "problem" in parsed ? field.default : parsed.value;
    } else if (key === "seed" || key === "units") {
      const number = parseWhole(value);
      const isWhole = !Number.isNaN(number);
      if (!isWhole) problems.push(`${notWhole(key, value)}, so it is left out`);
      if (key === "seed") request.seed = isWhole ? number : DEFAULT_SEED;
      else request.units = isWhole ? number : null;
    } else if (["challenge", "show", "moment", "duel"].includes(key)) {
      request[key as "challenge"] = value;
      continue; // none of them asks for a particular run, so `explicit` stays
    } else if (key === "story") {
      request.story = value === "1";
      if (!request.story) problems.push(`story takes only the value 1, not ${quoted(value)}`);
      continue; // nor does a story
    } else if (key === "hide") {
      request.hide = HIDDEN_PARTS.find((part) => part === value) ?? null;
      if (!request.hide) problems.push(`${quoted(value)} is not allowed for hide; it takes ${HIDDEN_PARTS.join(", ")}`);
      continue; // nor does a part that is hidden
    } else if (key === "change") {
      const parsed = parseChange(lab, value);
      if ("problem" in parsed) problems.push(`${parsed.problem}, so this change is left out`);
      else request.changes.push(parsed.change);
    } else if (key === "data") {
      data.push(value);
    } else if (key === "bits") {
      const parsed = parseBits(value);
      if (!parsed) problems.push(`${quoted(value)} is no fingerprint, so the result is not compared`);
      request.bits = parsed && bitsText(parsed);
    } else if (key === "device") {
      const isKnown = value === "cpu" || value === "gpu";
      if (!isKnown) problems.push(`${quoted(value)} is not allowed for device; it takes cpu or gpu`);
      if (value === "gpu" && !lab.usesGpu) problems.push(`${lab.about.title} does not compute on a GPU in a browser`);
      request.device = isKnown && lab.usesGpu ? value : null;
      continue; // a device asks for no particular run, so `explicit` stays
    } else {
      problems.push(`${lab.about.title} has no setting called ${quoted(key)}`);
      continue;
    }
    request.explicit = true;
  }
  request.settings = changedSettings(lab, request.settings);
  request.changes = inOrder(request.changes, request.units, (problem) => problems.push(problem));
  if (request.bits !== null && request.units === null) {
    problems.push("The fingerprint belongs to a unit that the link does not name, so the result is not compared");
    request.bits = null;
  }
  return { request, problems, data };
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

/** A fingerprint with its class of bits, as a link has it. */
function bitsText({ bitsClass, digits }: { bitsClass: string | null; digits: string }): string {
  return bitsClass === null ? digits : `${bitsClass}:${digits}`;
}

/** What a link can tell about a run besides its start, its last unit and its device. */
export interface LinkEnd {
  changes?: RecipeChange[];
  bits?: string | null;
}

/**
 * The link of a run that starts with these settings and this seed, as the hash of an address. Data of the visitor's own
 * is left out; `packData` (core/packed.ts) writes it.
 */
export function writeLink(
  lab: LabInfo,
  settings: Settings,
  seed: number,
  units: number | null = null,
  device: Device = "cpu",
  { changes = [], bits = null }: LinkEnd = {},
): string {
  const pairs: [string, string][] = [["seed", String(seed)]];
  for (const [name, value] of Object.entries(changedSettings(lab, settings))) pairs.push([name, settingText(value)]);
  for (const change of changesInLink(changes)) pairs.push(["change", changeText(lab, change)]);
  if (units !== null) pairs.push(["units", String(units)]);
  if (device !== "cpu") pairs.push(["device", device]);
  const parsed = units !== null && bits !== null ? parseBits(bits) : null;
  if (parsed) pairs.push(["bits", bitsText({ ...parsed, digits: parsed.digits.slice(0, FINGERPRINT_DIGITS) })]);
  return `#/${lab.about.id}?${pairs.map(([key, value]) => `${key}=${encode(value)}`).join("&")}`;
}

/** Encodes a value of a link. Colons (%3A), commas (%2C) and equals signs (%3D) stay as they are, so it is readable. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(/%(3A|2C|3D)/g, (code) => decodeURIComponent(code));
}

/** What two runs are compared by. */
export interface Comparable {
  settings: Settings;
  seed: number;
  changes?: RecipeChange[];
}

/**
 * True for runs that start with equal settings and seeds and change in the same way. One may leave out its data, as a
 * link does that is too long for them.
 */
export function sameRun(lab: LabInfo, a: Comparable, b: Comparable): boolean {
  const text = ({ settings, seed, changes = [] }: Comparable) =>
    writeLink(lab, settings, seed, null, "cpu", { changes });
  const [dataOfA, dataOfB] = [dataText(a), dataText(b)];
  return text(a) === text(b) && (dataOfA === dataOfB || dataOfA === "[]" || dataOfB === "[]");
}

/** The data of a run, as a text by which they are compared. */
function dataText({ changes = [] }: Comparable): string {
  return JSON.stringify(changes.flatMap(({ unit, data }) => (data === null ? [] : [[unit, data]])));
}
