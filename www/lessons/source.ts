// Where lessons come from: the labs' own (`labs/<lab>/lesson.txt`), a link that holds the text, or an editor's draft.

import { packText, unpackText } from "../core/packed";
import { LABS } from "../generated/labs";
import type { LabInfo } from "../generated/protocol";
import { manifestOf } from "../labs/manifests";
import { LIMITS } from "./format";
import { labNamed, parseLesson, type Parsed } from "./parse";

/** The name of a lesson in an address whose text stands in the link. */
export const OWN_LESSON = "own";
const DRAFT_KEY = "learnery:lesson-draft";
/** The draft that another text has replaced in the editor. */
const EARLIER_KEY = "learnery:lesson-draft-earlier";
/** A character has at most three bytes in UTF-8 for each of its UTF-16 units. */
const MAX_BYTES = 3 * LIMITS.characters;

/** A text that was read, with the lab that it names. */
export interface ReadLesson extends Parsed {
  lab: LabInfo | null;
}

/** The ids of the labs that have a lesson, in the order of the front. */
export const lessonNames = (): string[] => LABS.map(({ id }) => id).filter((id) => manifestOf(id)?.lesson);

/** The text of a lab's lesson; null if it has none. */
export async function lessonText(name: string): Promise<string | null> {
  const module = await manifestOf(name)?.lesson?.();
  return module?.default ?? null;
}

export async function readLesson(text: string): Promise<ReadLesson> {
  const name = labNamed(text);
  const lab = (await LABS.find(({ id }) => id === name)?.load()) ?? null;
  const takesText = name !== null && manifestOf(name)?.commandForText !== undefined;
  return { ...parseLesson(text, { labs: LABS.map(({ id }) => id), lab, takesText }), lab };
}

/** The link to a lesson's text, as the hash of an address; null if it is too long for one. */
export async function lessonLink(text: string): Promise<string | null> {
  const packed = await packText(text);
  return packed === null ? null : `#/lesson/${OWN_LESSON}?data=${packed}`;
}

/** The text that a link holds; null if it is damaged or too long. */
export async function textOfLink(query: string): Promise<string | null> {
  const packed = new URLSearchParams(query).get("data");
  return packed === null ? null : unpackText(packed, MAX_BYTES);
}

/** The text that was written last in the editor; null if there is none. */
export function loadDraft({ earlier = false } = {}): string | null {
  try {
    return localStorage.getItem(earlier ? EARLIER_KEY : DRAFT_KEY);
  } catch {
    return null; // storage may be forbidden
  }
}

export function saveDraft(text: string): void {
  try {
    localStorage.setItem(DRAFT_KEY, text);
  } catch {
    // Storage may be forbidden; the text is then lost with the tab.
  }
}

/** Another text takes the place of the draft, which is kept until the next time. */
export function replaceDraft(text: string): void {
  const draft = loadDraft();
  try {
    if (draft !== null && draft !== text) localStorage.setItem(EARLIER_KEY, draft);
  } catch {
    // Storage may be forbidden or full.
  }
  saveDraft(text);
}
