// Reads and writes the values of settings as text, as links, commands and typed numbers have them.

import type { Field, JsonValue } from "../generated/protocol";

export type Settings = Record<string, JsonValue>;

/** Longer texts are cut when they are quoted. */
const MAX_QUOTED_LENGTH = 40;

/**
 * Quotes a text from outside, such as a part of a link, for a message: on one line, without control characters, cut after
 * `MAX_QUOTED_LENGTH` characters.
 */
export function quoted(text: string): string {
  // `\p{C}` matches control characters, unpaired surrogates and the marks that reverse the direction of writing. The
  // text is cut first to keep the work small: a character has up to two UTF-16 units, and as many again are kept for
  // what is removed below.
  const line = text
    .slice(0, 4 * MAX_QUOTED_LENGTH)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return `“${characters.length > MAX_QUOTED_LENGTH ? `${characters.slice(0, MAX_QUOTED_LENGTH).join("")}…` : line}”`;
}

/** A decimal number. `Number` would also read hexadecimal digits, and an empty text as 0. */
const DECIMAL_PATTERN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Reads a number. A text that is not a decimal number gives NaN; minus zero gives zero. */
export function parseNumber(text: string): number {
  const trimmed = text.trim();
  return DECIMAL_PATTERN.test(trimmed) ? Number(trimmed) + 0 : NaN; // Adding 0 turns minus zero into zero.
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
      const mustBeWhole = field.kind === "integer";
      const isAllowed = n >= field.min && n <= field.max && (!mustBeWhole || Number.isInteger(n));
      return isAllowed
        ? { value: n }
        : refuse(`${mustBeWhole ? "a whole number" : "a number"} from ${field.min} to ${field.max}`);
    }
    case "switch":
      return text === "true" || text === "false" ? { value: text === "true" } : refuse("true or false");
    case "choice":
      return field.options.includes(text) ? { value: text } : refuse(`one of ${field.options.join(", ")}`);
    // The schema also describes options of the command line and inputs of tools, which no lab has among its settings.
    case "text":
    case "list":
    case "file":
    case "opponent":
      return refuse("no value, because it is an option of evaluations on the command line");
  }
}

/** A setting's value as it is written in links and commands. */
export function settingText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
