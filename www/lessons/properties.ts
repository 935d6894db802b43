// Reads the properties of a block one by one, and reports what is wrong with them and what is left over.

import { fieldCalled } from "../core/fields";
import { parseNumber, parseValue, quoted, type Settings } from "../core/values";
import { presetSettings } from "../core/presets";
import type { LabInfo } from "../generated/protocol";
import { readConditions, readMeasure } from "./conditions";
import type { Condition, Measure, Place } from "./format";
import type { Block, Property } from "./lines";

export type Report = (at: Place, text: string) => void;

export class Properties {
  #read = new Set<Property>();

  constructor(
    readonly block: Block,
    readonly report: Report,
  ) {}

  /**
   * The property with this key; null if it is missing. Of several the first has an effect, the others are reported, and
   * all of them count as read.
   */
  find(key: string): Property | null {
    const found = this.block.properties.filter((each) => each.key === key);
    for (const each of found) this.#read.add(each);
    for (const each of found.slice(1))
      this.report(each.at, `“${key}:” stands twice in this block. Keep one of the two lines`);
    return found[0] ?? null;
  }

  /** The text of a property; empty if it is missing, which is reported with an example. */
  needed(key: string, example: string): string {
    const found = this.find(key);
    if (found && found.value !== "") return found.value;
    this.report(
      found?.valueAt ?? this.block.at,
      `This block needs a line “${key}:”. Write below it, indented: ${key}: ${example}`,
    );
    return "";
  }

  /** The text of a property; `fallback` if it is missing or empty. */
  text(key: string, fallback: string): string {
    return this.find(key)?.value || fallback;
  }

  /** A whole number in a range. A missing one is `fallback`; with null for that, it is reported. */
  whole(key: string, min: number, max: number, fallback: number | null): number {
    const found = this.find(key);
    if (!found) {
      if (fallback !== null) return fallback;
      this.report(
        this.block.at,
        `This block needs a line “${key}:” with a whole number from ${min} to ${max}, such as: ${key}: ${Math.min(max, Math.max(min, 10))}`,
      );
      return min;
    }
    const value = parseNumber(found.value);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    this.report(
      found.valueAt,
      `${quoted(found.value)} is not allowed for ${key}. Write a whole number from ${min} to ${max}`,
    );
    return fallback ?? min;
  }

  number(key: string, fallback: number): number {
    const found = this.find(key);
    if (!found) return fallback;
    const value = parseNumber(found.value);
    if (Number.isFinite(value)) return value;
    this.report(found.valueAt, `${quoted(found.value)} is no number. Write digits, such as: ${key}: ${fallback}`);
    return fallback;
  }

  oneOf<Name extends string>(key: string, names: readonly Name[], fallback: Name): Name {
    const found = this.find(key);
    const name = names.find((each) => each === found?.value);
    if (found && name === undefined)
      this.report(found.valueAt, `${quoted(found.value)} is not allowed for ${key}. Write one of: ${names.join(", ")}`);
    return name ?? fallback;
  }

  /** The pieces of a property between its commas, without the empty ones, each with its place. */
  list(key: string): { text: string; at: Place }[] {
    const found = this.find(key);
    if (!found) return [];
    let column = found.valueAt.column;
    return found.value.split(",").flatMap((piece) => {
      const at = { line: found.valueAt.line, column: column + (piece.length - piece.trimStart().length) };
      column += piece.length + 1;
      return piece.trim() === "" ? [] : [{ text: piece.trim(), at }];
    });
  }

  /** A measure, such as `slow.reached`; null if it is missing, or if it is none, which is reported. */
  measure(key: string): Measure | null {
    const found = this.find(key);
    if (!found) return null;
    const measure = readMeasure(found.value);
    if (!measure)
      this.report(
        found.valueAt,
        `${quoted(found.value)} is not what a block measures. Write the block's name, a full stop and what is measured, such as: slow.reached`,
      );
    return measure;
  }

  /** The conditions in a property; none if one of them cannot be read, which is reported. */
  conditions({ value, valueAt }: Property): Condition[] {
    const read = readConditions(value);
    if ("value" in read) return read.value;
    this.report({ line: valueAt.line, column: valueAt.column + read.offset }, read.problem);
    return [];
  }

  /** The settings of `preset:` and `settings:` that differ from the defaults. */
  settings(lab: LabInfo): Settings {
    const name = this.find("preset");
    const preset = lab.about.presets.find((each) => each.name === name?.value);
    if (name && !preset) {
      const names = lab.about.presets.map((each) => each.name).join(", ");
      this.report(
        name.valueAt,
        `${lab.about.title} has no preset called ${quoted(name.value)}. Write one of: ${names}`,
      );
    }
    const settings = preset ? presetSettings(preset) : {};
    for (const { text, at } of this.list("settings")) {
      const [key = "", value] = text.split("=", 2).map((each) => each.trim());
      const field = fieldCalled(lab, key.replace(/\s+/g, "_"));
      if (value === undefined)
        this.report(at, `${quoted(text)} sets nothing. Write a setting, an equals sign and its value`);
      else if (!field) this.report(at, unknownSetting(lab, key));
      else {
        const parsed = parseValue(field, value);
        if ("problem" in parsed) this.report(at, parsed.problem);
        else settings[field.name] = parsed.value;
      }
    }
    return settings;
  }

  /** Reports the properties that nobody has read. */
  end(known: readonly string[]): void {
    for (const property of this.block.properties) {
      if (this.#read.has(property)) continue;
      const { key, value, at } = property;
      const keys = known.map((each) => `${each}:`).join(", ");
      if (key === "")
        this.report(at, `${quoted(value)} has no key. A line of @${this.block.kind} begins with one of: ${keys}`);
      else this.report(at, `@${this.block.kind} knows no “${key}:”. It has: ${keys}`);
    }
  }

  /** Counts a property as read. */
  take(property: Property): void {
    this.#read.add(property);
  }
}

export function unknownSetting({ about, fields }: LabInfo, key: string): string {
  const main = fields.filter((each) => each.main).map(({ name }) => name);
  return `${about.title} has no setting called ${quoted(key)}. The main ones are: ${main.join(", ")}`;
}
