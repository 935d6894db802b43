// Reads a recipe file, which is JSON: `{"recipe": 1, "lab": "control", "seed": 7, "settings": {…}, "changes": […]}`.
// The learner writes it. Unlike a link it can hold data of the visitor's own, and unlike a link it is refused if any
// part of it cannot be read.

import type { JsonValue, LabInfo } from "../generated/protocol";
import { fieldCalled } from "./fields";
import { WrongFile } from "./checkpoint-file";
import { readQuery, type ListedLab, type RunRequest } from "./link";
import { changeSeed, changeSetting, inOrder, type RecipeChange } from "./recipe";
import { quoted, settingText } from "./values";

/** The version of the format that this page reads. */
const FORMAT_VERSION = 1;
/** Texts have a few megabytes at most. */
const MAX_BYTES = 50e6;

/** The keys of a recipe file. */
const RECIPE_KEYS = ["recipe", "lab", "seed", "settings", "changes", "device", "units", "bits"];
const CHANGE_KEYS = ["unit", "settings", "seed", "data"];

/** A JSON object. */
type Table = Record<string, JsonValue | undefined>;

/** Reads a recipe file, or throws a `WrongFile` with the reason. */
export async function readRecipeFile(file: File, labs: ListedLab[]): Promise<RunRequest> {
  if (file.size === 0) throw new WrongFile("the file is empty");
  if (file.size > MAX_BYTES) throw new WrongFile("it is too large for a recipe");
  const text = await file.text().catch(() => {
    throw new WrongFile("it cannot be read (is it a folder, or has it moved?)");
  });
  return readRecipe(text, labs);
}

/** Reads the content of a recipe file, or throws a `WrongFile` with the reason. */
export async function readRecipe(text: string, labs: ListedLab[]): Promise<RunRequest> {
  const recipe = parseTable(text);
  if (typeof recipe["recipe"] !== "number") throw new WrongFile("it is not a recipe that Learnery has saved");
  if (recipe["recipe"] > FORMAT_VERSION) throw new WrongFile("a newer version of Learnery has saved it");
  refuseUnknownKeys(recipe, RECIPE_KEYS);
  const id = recipe["lab"];
  const lab = await labs.find((listed) => listed.id === id)?.load();
  if (!lab) throw new WrongFile(`its lab is called ${quoted(valueText(id))}, and there is no such lab here`);
  const settings = toTable(recipe["settings"] ?? {}, "its settings are");
  const pairs = Object.entries(settings).map(([name, value]): [string, string] => [name, valueText(value)]);
  for (const key of ["seed", "units", "device", "bits"]) {
    if (recipe[key] !== undefined) pairs.push([key, valueText(recipe[key])]);
  }
  const unknown = pairs.find(([name], i) => i < Object.keys(settings).length && !isSetting(lab, name));
  if (unknown) throw new WrongFile(`${lab.about.title} has no setting called ${quoted(unknown[0])}`);
  const { request, problems } = readQuery(lab, pairs);
  const changes = toList(recipe["changes"] ?? []).map((change) =>
    readChange(lab, toTable(change, "one of its changes is")),
  );
  request.changes = inOrder(changes, request.units, (problem) => problems.push(problem));
  request.explicit = true;
  const [first] = problems;
  // The sentences about links say what is done instead; here nothing is.
  if (first) throw new WrongFile(first.replace(/, so .*$/, ""));
  return request;
}

function readChange(lab: LabInfo, stored: Table): RecipeChange {
  refuseUnknownKeys(stored, CHANGE_KEYS);
  const unit = stored["unit"];
  if (typeof unit !== "number" || !Number.isInteger(unit) || unit < 0)
    throw new WrongFile(`${quoted(valueText(unit))} is no unit at which something can change`);
  const change: RecipeChange = { unit, settings: {}, seed: null, data: stored["data"] ?? null };
  if (change.data !== null && typeof toTable(change.data, "its data are")["type"] !== "string")
    throw new WrongFile(`the data at unit ${unit} are no command of the lab`);
  for (const [name, value] of Object.entries(toTable(stored["settings"] ?? {}, "its settings are")))
    refuseFor(changeSetting(lab, change, name, valueText(value)));
  if (stored["seed"] !== undefined && stored["seed"] !== null) refuseFor(changeSeed(change, valueText(stored["seed"])));
  if (Object.keys(change.settings).length === 0 && change.seed === null && change.data === null)
    throw new WrongFile(`nothing changes at unit ${unit}`);
  return change;
}

function parseTable(text: string): Table {
  try {
    return toTable(JSON.parse(text) as JsonValue, "it is");
  } catch (error) {
    throw error instanceof WrongFile ? error : new WrongFile("it is not a recipe, which is JSON");
  }
}

function toTable(value: JsonValue | undefined, what: string): Table {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new WrongFile(`${what} no table of names and values`);
}

function toList(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new WrongFile("its changes are no list");
}

function refuseUnknownKeys(stored: Table, keys: string[]): void {
  const unknown = Object.keys(stored).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new WrongFile(`it has an unknown part, ${quoted(unknown)}`);
}

function isSetting(lab: LabInfo, name: string): boolean {
  return fieldCalled(lab, name) !== undefined;
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? "" : settingText(value);
}

/** Refuses the file if there is a problem. */
function refuseFor(problem: string | null): void {
  if (problem !== null) throw new WrongFile(problem);
}
