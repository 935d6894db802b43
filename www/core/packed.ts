// Texts and data of a visitor's own in a link: compressed (raw deflate, RFC 1951) and in base64 with the alphabet for
// addresses (RFC 4648, section 5) without padding. Loaded when a link has such a part. `crates/lab/src/recipe/data.rs`
// reads and writes the same. Data stand in a link as `data=UNIT:…`, which is the command that gives them to a run, as
// JSON.

import type { JsonValue } from "../generated/protocol";
import { inOrder, notWhole, parseWhole, type RecipeChange } from "./recipe";
import { quoted } from "./values";

/** Characters of all packed parts of a link. Some programs cut longer links. */
export const MAX_PACKED = 8_000;
/** Bytes of a command. A short link could hold many megabytes. */
const MAX_COMMAND_BYTES = 262_144;

/** What is said where a link would have to hold data that do not fit. */
export const DATA_TOO_LONG = "This run learns from data of your own that are too long for a link.";

const DAMAGED =
  "The data in this link cannot be read: they are damaged or too long, so this is not the run of the link; " +
  "ask whoever gave it to you for a new one";

/** A text as a part of a link; null if it is too long for one. */
export async function packText(text: string): Promise<string | null> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
  return packed.length <= MAX_PACKED ? packed : null;
}

/** Bytes in the alphabet for addresses. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes of a text in the alphabet for addresses; null if it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  } catch {
    return null;
  }
}

/** The text of a part of a link, or null if it is damaged, too long, or has more than so many bytes. */
export async function unpackText(packed: string, maxBytes: number): Promise<string | null> {
  const bytes = packed.length > MAX_PACKED ? null : fromBase64(packed);
  if (!bytes?.length) return null;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > maxBytes) {
        void reader.cancel();
        return null;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return null;
  }
}

/** What was packed last, because links are written again with every change of a setting. */
let packedLast: { key: string; part: Promise<string | null> } | null = null;

/** The parts `&data=…` of a link with these changes; null if a link cannot hold their data. */
export function packData(changes: readonly RecipeChange[]): Promise<string | null> {
  const withData = changes.filter(({ data }) => data !== null).map(({ unit, data }) => ({ unit, data }));
  const key = JSON.stringify(withData);
  if (packedLast?.key !== key) packedLast = { key, part: pack(withData) };
  return packedLast.part;
}

/** Adds the data of these changes to the link in the address bar, if they are short enough and it is still this one. */
export async function addToAddress(link: string, changes: readonly RecipeChange[]): Promise<void> {
  const part = await packData(changes);
  if (part !== null && location.hash === new URL(link, location.href).hash) history.replaceState(null, "", link + part);
}

async function pack(changes: { unit: number; data: JsonValue | null }[]): Promise<string | null> {
  const parts: string[] = [];
  let characters = 0;
  for (const { unit, data } of changes) {
    if (!isCommand(data)) return null; // the content of long data is not in the changes
    const packed = await packText(JSON.stringify(data));
    if (packed === null || (characters += packed.length) > MAX_PACKED) return null;
    parts.push(`&data=${unit}:${packed}`);
  }
  return parts.join("");
}

/**
 * The changes of a link with the data of its parts `data=`, in the order of their units; `units` is the link's last
 * unit. What cannot be read is left out, and reported in a sentence. `lostStart` is that sentence if the data with
 * which the run begins cannot be read; else null.
 */
export async function withData(
  changes: readonly RecipeChange[],
  parts: readonly string[],
  units: number | null,
  report: (problem: string) => void,
): Promise<{ changes: RecipeChange[]; lostStart: string | null }> {
  const all = changes.map((change) => ({ ...change }));
  let characters = 0;
  let lostStart: string | null = null;
  const refuse = (unit: number, problem: string) => {
    report(problem);
    // Data without a readable unit may be those of the beginning.
    if (!(unit > 0)) lostStart ??= problem;
  };
  for (const part of parts) {
    const [unitText = "", packed = ""] = part.split(":", 2);
    const unit = parseWhole(unitText);
    if (Number.isNaN(unit)) {
      refuse(unit, part.includes(":") ? notWhole("data", unitText) : `${quoted(part)} is not a unit, a colon and data`);
      continue;
    }
    characters += packed.length;
    const text = characters > MAX_PACKED ? null : await unpackText(packed, MAX_COMMAND_BYTES);
    const data = text === null ? null : parsed(text);
    if (data === null) {
      refuse(unit, DAMAGED);
      continue;
    }
    const known = all.find((change) => change.unit === unit);
    if (known) known.data = data;
    else all.push({ unit, settings: {}, seed: null, data });
  }
  all.sort((a, b) => a.unit - b.unit);
  if (all.some(({ unit, data }) => unit === 0 && data !== null)) lostStart = null;
  return { changes: inOrder(all, units, report), lostStart };
}

/** The command that a text is as JSON, with its keys in the order in which a run records them; null if it is none. */
function parsed(text: string): JsonValue | null {
  const inOrderOfKeys = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  try {
    const data = JSON.parse(text, inOrderOfKeys) as JsonValue;
    return isCommand(data) ? data : null;
  } catch {
    return null;
  }
}

/** Whether data are a command of a lab: an object with the name of the command as its `type`. */
export function isCommand(data: JsonValue | null): boolean {
  return typeof data === "object" && data !== null && !Array.isArray(data) && typeof data["type"] === "string";
}
