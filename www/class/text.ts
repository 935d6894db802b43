// Names and answers that pupils type: what they may contain. They come from other machines and are shown to a whole
// class, so characters that cannot be seen, or that turn around the text after them, are refused.

/** The longest name, question and answer, in characters (Unicode code points). */
export const MAX_NAME = 24;
export const MAX_QUESTION = 140;
export const MAX_ANSWER = 280;
/** The most answers of a result code (a pupil's results as a text, see code.ts), and of a lesson. */
export const MAX_ANSWERS = 8;

/**
 * Controls, formats (among them those that set the direction of the text, "bidi"), private and unassigned characters,
 * single surrogates and separators of lines. The joiners U+200C and U+200D are letters' business in Persian, Hindi and
 * Sinhala, and are allowed.
 */
const FORBIDDEN = /[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}]/u;
/** More marks on one letter than any language needs; they would be drawn over the lines above and below. */
const PILE_OF_MARKS = /\p{M}{5}/u;

/**
 * A character that draws something by itself, unless it is forbidden: no mark, no joiner, and no letter that is blank
 * (Hangul, Braille).
 */
const SEEN = /[^\s\p{M}\u115f\u1160\u2800\u3164\uffa0\u200c\u200d]/u;

/** What is said when a part of the page did not arrive. */
export const NOT_LOADED = "A part of the page could not be loaded. Check the network connection, and try again.";

/** What tells pupils apart: names that differ only in capital letters are one pupil's. */
export const nameKey = (name: string): string => name.normalize("NFC").toLowerCase();

/**
 * Whether a text may be shown as it is: something of it can be seen, it has at most so many characters, and none of
 * them is forbidden. The class's server has the same rule (crates/class/src/text.rs).
 */
export function isPlainText(text: unknown, most: number): text is string {
  // A code point has at most two units of UTF-16, so this leaves out long texts before they are taken apart.
  if (typeof text !== "string" || text.length > 2 * most || !SEEN.test(text)) return false;
  return [...text].length <= most && !FORBIDDEN.test(text) && !PILE_OF_MARKS.test(text);
}

/**
 * A text as it can be shown, whatever it holds: forbidden characters become U+FFFD, marks beyond the most are left out, and
 * so is what follows the most characters. U+FFFD if nothing is left to see.
 */
export function shownText(text: unknown, most: number): string {
  if (isPlainText(text, most)) return text;
  const start = typeof text === "string" ? [...text.slice(0, 2 * most)].slice(0, most).join("") : "";
  const shown = start.replace(new RegExp(FORBIDDEN, "gu"), "\ufffd").replace(/(\p{M}{4})\p{M}+/gu, "$1");
  return isPlainText(shown, most) ? shown : "\ufffd";
}

/** The text, tidied. If it has more characters than `most`, it is cut, with an ellipsis as the last one. */
export function shortened(text: string, most: number): string {
  const characters = [...tidy(text)];
  const isShort = characters.length <= most;
  const start = isShort ? characters : characters.slice(0, most - 1);
  return shownText(isShort ? start.join("") : `${start.join("").trimEnd()}…`, most);
}

/** What is wrong with a text that was typed, as a sentence; null if it can be used. `what` is what it is called. */
export function problemWith(text: string, what: string, most: number): string | null {
  if (text.trim() === "") return `${what} is empty.`;
  if ([...text].length > most) return `${what} has more than ${most} characters.`;
  return isPlainText(text, most) ? null : `${what} has characters that cannot be shown.`;
}

/** A text as it was typed, with single spaces and composed letters, so that equal texts have equal characters. */
export function tidy(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}
