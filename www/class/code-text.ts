// A code of a class as a text: `LC1.` (a result, code.ts) or `LL1.` (the answers of a lesson, lesson-code.ts), a
// CRC-32, `.`, and JSON that is compressed and in base 64 for addresses (core/packed.ts). The checksum finds damage,
// not forgery.

import { MAX_PACKED, packText, unpackText } from "../core/packed";

/** With which a code begins: what it holds, and the version of its format. */
export type CodePrefix = "LC1" | "LL1";

/** Bytes of a code's JSON. A short code could hold many megabytes. */
const MAX_BYTES = 32_768;
/**
 * The beginning of a code within a text or an address, also of one of a later version. Mail programs break long lines,
 * so white space may stand anywhere in a code.
 */
const HEAD = /\bL[CL]\d\.\s*(?:[0-9a-f]\s*){8}\.\s*(?=[\w-])/g;
/** A piece of what follows. It can be longer than in any code, so that a code that is too long is found. */
const PIECE = /\s*([\w-]+)/y;
/** The beginning of another code, with which the one before it has ended. */
const OTHER_CODE = /\s*\bL[CL]\d\./y;

const NO_CODE = "This is no code of a class. A code begins with LC1 or LL1.";
const OTHER_VERSION =
  "This code was made by another version of Learnery, which writes codes that this page cannot read.";
const TOO_LONG = "This code is too long.";
const DAMAGED = "This code is damaged: its checksum is wrong. Copy the whole code again.";

/** The codes that stand in a text, such as a message with links. Each stands in the list once, without white space. */
export function codesIn(text: string): string[] {
  const codes = [...text.matchAll(HEAD)].map(({ 0: head, index }) => {
    const start = head.replace(/\s/g, "");
    return start + packedAt(text, index + head.length, start.slice(4, -1));
  });
  return [...new Set(codes)];
}

/**
 * What a code holds after its head. As many pieces belong to it as its checksum tells; if none tells it, only the first
 * one, because the others may be other words.
 */
function packedAt(text: string, from: number, sum: string): string {
  let [packed, first, crc, at] = ["", "", CRC_START, from];
  while (packed.length <= MAX_PACKED) {
    OTHER_CODE.lastIndex = PIECE.lastIndex = at;
    const [, piece] = (packed !== "" && OTHER_CODE.test(text) ? null : PIECE.exec(text)) ?? [];
    if (piece === undefined) break;
    at = PIECE.lastIndex;
    packed += piece;
    first ||= piece;
    crc = crcAfter(crc, piece);
    if (inDigits(crc) === sum) return packed;
  }
  return first;
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
export const checksum = (text: string): string => inDigits(crcAfter(CRC_START, text));

/** The register of the CRC-32 before the first character. */
const CRC_START = 0xffff_ffff;

/** The register of the CRC-32 after more characters. */
function crcAfter(register: number, text: string): number {
  let crc = register;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return crc;
}

const inDigits = (crc: number): string => ((crc ^ 0xffff_ffff) >>> 0).toString(16).padStart(8, "0");
