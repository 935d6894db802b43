// A code of a class as a text: `LC1.` (a result, code.ts) or `LL1.` (the answers of a lesson, lesson-code.ts), a
// CRC-32, `.`, and JSON that is compressed and in base 64 for addresses (core/packed.ts). The checksum finds damage,
// not forgery.

import { MAX_PACKED, packText, unpackText } from "../core/packed";

/** With which a code begins: what it holds, and the version of its format. */
export type CodePrefix = "LC1" | "LL1";

/** Bytes of a code's JSON. A short code could hold many megabytes. */
const MAX_BYTES = 32_768;
/**
 * A code within a text or an address, also one of a later version. Its end is longer than any code can be, so that one
 * that is too long is found.
 */
const CODE = /\bL[CL]\d\.[0-9a-f]{8}\.[\w-]+/g;

const NO_CODE = "This is no code of a class. A code begins with LC1 or LL1.";
const OTHER_VERSION =
  "This code was made by another version of Learnery, which writes codes that this page cannot read.";
const TOO_LONG = "This code is too long.";
const DAMAGED = "This code is damaged: its checksum is wrong. Copy the whole code again.";

/** The codes that stand in a text, such as a message with links. Each stands in the list once. */
export function codesIn(text: string): string[] {
  return [...new Set(text.match(CODE) ?? [])];
}

/** Whether a code holds the answers of a lesson, whatever its version. */
export const isLessonCode = (code: string): boolean => code.startsWith("LL");

/** The code of a JSON value; null if it is too long for one. */
export async function packCode(prefix: CodePrefix, value: unknown): Promise<string | null> {
  const packed = await packText(JSON.stringify(value));
  return packed === null ? null : `${prefix}.${checksum(packed)}.${packed}`;
}

/** The JSON value of a code with this prefix; undefined if it holds none. Or what is wrong, as a sentence. */
export async function unpackCode(prefix: CodePrefix, code: string): Promise<{ value: unknown } | { problem: string }> {
  const [start, sum, packed] = code.split(".");
  if (start !== prefix || !sum || !packed) {
    const isOther = start !== prefix && codesIn(code)[0] === code;
    return { problem: isOther ? OTHER_VERSION : NO_CODE };
  }
  if (packed.length > MAX_PACKED) return { problem: TOO_LONG };
  if (sum !== checksum(packed)) return { problem: DAMAGED };
  const text = await unpackText(packed, MAX_BYTES);
  return { value: text === null ? undefined : parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The CRC-32 (ISO-HDLC, as in zip files) of a text of ASCII characters, in hexadecimal digits. */
export function checksum(text: string): string {
  let crc = 0xffff_ffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return ((crc ^ 0xffff_ffff) >>> 0).toString(16).padStart(8, "0");
}
