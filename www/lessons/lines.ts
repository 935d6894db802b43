// Splits a lesson's text into its lines: titles of steps, blocks with their properties, text, notes for the teacher.
// It knows the form of a line, not what it means; parse.ts does.

import { LIMITS, type Place, type Problem } from "./format";

/** `key: value` with the places of both. */
export interface Property {
  key: string;
  value: string;
  at: Place;
  valueAt: Place;
}

/** `@kind name`, with the lines that are indented below it. */
export interface Block {
  kind: string;
  name: string;
  at: Place;
  nameAt: Place;
  properties: Property[];
  /** The indented lines as they stand, for a block that is a text. */
  raw: string[];
}

export type Line =
  | { type: "title"; text: string; at: Place }
  | { type: "property"; property: Property }
  | { type: "block"; block: Block }
  | { type: "note"; text: string; at: Place }
  | { type: "item"; text: string; at: Place }
  | { type: "text"; text: string; at: Place }
  | { type: "blank" };

/** Characters that cannot be seen or that turn the direction of writing; a tab counts as spaces. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\p{Co}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const KEY = /^[a-z]{1,20}$/;

/** The lines of a text, and what is wrong with their form. `isKey` says which words are keys outside of blocks. */
export function readLines(text: string, isKey: (word: string) => boolean): { lines: Line[]; problems: Problem[] } {
  const problems: Problem[] = [];
  if (text.length > LIMITS.characters) {
    const problem = `This lesson has ${text.length} characters, and a lesson may have ${LIMITS.characters}. Shorten it, or make two lessons of it`;
    return { lines: [], problems: [{ line: 1, column: 1, text: problem }] };
  }
  const lines: Line[] = [];
  let block: Block | null = null;
  for (const [i, whole] of text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = whole.replaceAll("\t", "  ").trimEnd();
    const at = { line: i + 1, column: 1 };
    const unshowable = UNSHOWABLE.exec(line);
    if (unshowable || line.length > LIMITS.line) {
      const problem = unshowable
        ? "There is a character here that cannot be shown. Delete it"
        : `This line has ${line.length} characters, and a line may have ${LIMITS.line}. Divide it`;
      problems.push({ line: i + 1, column: unshowable ? unshowable.index + 1 : 1, text: problem });
      continue;
    }
    if (line === "") {
      if (block) block.raw.push("");
      else lines.push({ type: "blank" });
      continue;
    }
    const indent = line.length - line.trimStart().length;
    if (indent > 0) {
      if (!block) {
        problems.push({ ...at, text: "This line is indented, but stands below no block. Remove the spaces before it" });
        continue;
      }
      block.raw.push(line.slice(2));
      const property = readProperty(line, indent, i + 1);
      if (property) block.properties.push(property);
      continue;
    }
    block = null;
    if (line.startsWith("//")) continue; // a remark for whoever edits the text
    if (line.startsWith("#")) lines.push({ type: "title", text: line.replace(/^#+\s*/, ""), at });
    else if (line.startsWith(">")) lines.push({ type: "note", text: line.slice(1).trim(), at });
    else if (line.startsWith("- ")) lines.push({ type: "item", text: line.slice(2).trim(), at });
    else if (line.startsWith("@")) {
      const [, kind = "", gap = "", name = ""] = /^@(\S*)(\s*)(.*)$/.exec(line) ?? [];
      block = {
        kind,
        name,
        at,
        nameAt: { line: i + 1, column: 2 + kind.length + gap.length },
        properties: [],
        raw: [],
      };
      lines.push({ type: "block", block });
    } else {
      const property = readProperty(line, 0, i + 1);
      if (property && isKey(property.key)) lines.push({ type: "property", property });
      else lines.push({ type: "text", text: line, at });
    }
  }
  return { lines, problems };
}

/** The property of a line that is not empty; null for a line outside of blocks that is none. */
function readProperty(line: string, indent: number, number: number): Property | null {
  const colon = line.indexOf(":");
  const key = line.slice(indent, Math.max(indent, colon)).trimEnd();
  const after = line.slice(colon + 1);
  if (!KEY.test(key) || !/^(\s|$)/.test(after)) {
    if (indent === 0) return null;
    // A line of a block without a key: its reader says so.
    const at = { line: number, column: indent + 1 };
    return { key: "", value: line.trim(), at, valueAt: at };
  }
  const value = after.trim();
  const column = line.length - after.trimStart().length + 1;
  return { key, value, at: { line: number, column: indent + 1 }, valueAt: { line: number, column } };
}
