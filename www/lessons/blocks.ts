// Reads the blocks of a lesson: `@run`, `@seeds`, `@choice`, `@number`, `@sentence`, `@check`, `@compare`.

import { fieldCalled, isNumeric } from "../core/fields";
import { MAX_SEED } from "../core/link";
import { DEFAULT_PACE, SLOW_PACE } from "../core/pace";
import { quoted } from "../core/values";
import type { LabInfo } from "../generated/protocol";
import {
  LIMITS,
  type CheckPart,
  type ChoicePart,
  type ComparePart,
  type NumberPart,
  type Part,
  type RunPart,
  type SeedsPart,
  type SentencePart,
  type Training,
} from "./format";
import type { Block } from "./lines";
import { Properties, unknownSetting, type Report } from "./properties";

/** The name of a block or of a text: a letter, then at most 23 letters, digits and hyphens. */
const NAME = /^[a-z][a-z0-9-]{0,23}$/;
/**
 * Training steps per second, by the words of `speed:`. Null is as fast as possible; `usual` is the lab's own pace,
 * which is undefined here.
 */
const PACES: Record<string, number | null | undefined> = {
  usual: undefined,
  slow: SLOW_PACE,
  normal: DEFAULT_PACE,
  max: null,
};
/** The properties that `@run` and `@seeds` have in common. */
const TRAINING_KEYS = ["title", "preset", "settings", "units", "goal", "metric", "learns", "dials"];

/** How a kind of block is read: the keys of its properties, and a function that makes the part of the lesson. */
interface Reader {
  keys: readonly string[];
  read: (properties: Properties, name: string, lab: LabInfo) => Part;
}

const READERS: Record<string, Reader> = {
  run: { keys: [...TRAINING_KEYS, "beside", "seed", "speed", "controls"], read: readRun },
  seeds: { keys: [...TRAINING_KEYS, "seeds", "from"], read: readSeeds },
  choice: { keys: ["ask", "option", "when"], read: readChoice },
  number: { keys: ["ask", "from", "to", "is"], read: readNumber },
  sentence: { keys: ["ask", "lines"], read: readSentence },
  check: { keys: ["text", "when"], read: readCheck },
  compare: { keys: ["runs", "by"], read: readCompare },
};

/** The kinds of blocks, beside `@text`, which parse.ts reads. */
const BLOCK_KINDS = Object.keys(READERS);

/** Whether a name can stand for a block. */
export const isName = (name: string): boolean => NAME.test(name);

/** Reads a block; null if its kind or its name is wrong, which is reported. */
export function readBlock(block: Block, lab: LabInfo, report: Report): Part | null {
  const reader = Object.hasOwn(READERS, block.kind) ? READERS[block.kind] : undefined;
  if (!reader) {
    const kinds = [...BLOCK_KINDS, "text"].map((kind) => `@${kind}`).join(", ");
    report(block.at, `There is no block ${quoted(`@${block.kind}`)}. The blocks are: ${kinds}`);
    return null;
  }
  if (!isName(block.name)) {
    report(block.nameAt, nameProblem(block));
    return null;
  }
  const properties = new Properties(block, report);
  const part = reader.read(properties, block.name, lab);
  properties.end(reader.keys);
  return part;
}

export function nameProblem({ kind, name }: Block): string {
  const wrong = name === "" ? "This block has no name" : `${quoted(name)} is no name`;
  return `${wrong}. Write a short word of small letters, digits and hyphens, such as: @${kind} first`;
}

function readTraining(properties: Properties, name: string, lab: LabInfo): Training {
  const learns = properties.find("learns");
  const dials = properties.list("dials").flatMap(({ text, at }) => {
    const field = fieldCalled(lab, text.replace(/\s+/g, "_"));
    if (!field) properties.report(at, unknownSetting(lab, text));
    else if (properties.block.kind === "seeds" && !isNumeric(field))
      properties.report(
        at,
        `${quoted(text)} is no number, and only numbers can be dials of @seeds. Remove it, or let the reader change it in a @run`,
      );
    return field ? [field.name] : [];
  });
  return {
    name,
    title: properties.text("title", name),
    settings: properties.settings(lab),
    units: properties.whole("units", 1, LIMITS.units, null),
    goal: properties.oneOf("goal", ["yes", "no"], "yes") === "yes",
    metric: readMetric(properties, "metric", lab),
    learns: learns?.value ?? null,
    dials: [...new Set(dials)],
  };
}

/** The name of one of the lab's metrics; null if none is given. */
function readMetric(properties: Properties, key: string, { about }: LabInfo): string | null {
  const metric = properties.find(key);
  if (metric && !about.metrics.some(({ name }) => name === metric.value)) {
    const names = about.metrics.map(({ name }) => name).join(", ");
    properties.report(
      metric.valueAt,
      `${about.title} has no metric called ${quoted(metric.value)}. Write one of: ${names}`,
    );
  }
  return metric?.value ?? null;
}

function readRun(properties: Properties, name: string, lab: LabInfo): RunPart {
  const speed = properties.oneOf("speed", Object.keys(PACES), "usual");
  return {
    kind: "run",
    ...readTraining(properties, name, lab),
    seed: properties.whole("seed", 0, MAX_SEED, 0),
    controls: properties.oneOf("controls", ["yes", "no"], "no") === "yes",
    beside: readMetric(properties, "beside", lab),
    pace: PACES[speed],
  };
}

function readSeeds(properties: Properties, name: string, lab: LabInfo): SeedsPart {
  return {
    kind: "seeds",
    ...readTraining(properties, name, lab),
    seeds: properties.whole("seeds", 2, LIMITS.seeds, 10),
    from: properties.whole("from", 0, MAX_SEED, 0),
  };
}

function readChoice(properties: Properties, name: string): ChoicePart {
  const { block, report } = properties;
  const part: ChoicePart = { kind: "choice", name, ask: properties.needed("ask", "What will happen?"), options: [] };
  for (const property of block.properties) {
    const { key, value, at, valueAt } = property;
    if (key !== "option" && key !== "when") continue;
    properties.take(property);
    const last = part.options.at(-1);
    if (key === "option") {
      if (value === "") report(valueAt, "This option is empty. Write what a reader can answer");
      if (part.options.length === LIMITS.options)
        report(at, `A question has at most ${LIMITS.options} options. Remove some`);
      else part.options.push({ text: value, when: [] });
    } else if (!last) report(at, "“when:” belongs to the option above it, and there is none. Write an option first");
    else if (last.when.length > 0) report(at, "This option has a “when:” already. Join both by “and” in one line");
    else last.when = properties.conditions(property);
  }
  if (part.options.length < 2)
    report(block.at, "A choice needs at least two options. Write each in a line of its own: option: It learns faster");
  return part;
}

function readNumber(properties: Properties, name: string): NumberPart {
  const ask = properties.needed("ask", "How many of the ten runs reach the goal?");
  const from = properties.number("from", 0);
  const to = properties.number("to", 10);
  if (from >= to)
    properties.report(
      properties.block.at,
      `The answer lies between ${from} and ${to}, so there is none. Write a larger number after “to:”`,
    );
  return { kind: "number", name, ask, from, to, is: properties.measure("is") };
}

function readSentence(properties: Properties, name: string): SentencePart {
  const ask = properties.needed("ask", "Why is that so?");
  return { kind: "sentence", name, ask, lines: properties.whole("lines", 1, 12, 3) };
}

function readCheck(properties: Properties, name: string): CheckPart {
  const text = properties.needed("text", "The run has reached its goal.");
  const when = properties.find("when");
  if (!when) properties.needed("when", "slow.reached >= 8");
  return { kind: "check", name, text, when: when ? properties.conditions(when) : [] };
}

function readCompare(properties: Properties, name: string): ComparePart {
  return {
    kind: "compare",
    name,
    runs: properties.list("runs").map(({ text }) => text),
    by: properties.oneOf("by", ["units", "last"], "last"),
  };
}
