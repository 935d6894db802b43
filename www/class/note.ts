// What a pupil's tab knows of its class: a note that is kept for this tab only (session storage), so a reload does not
// end it and the next visitor does not find it. Lessons read it too, so this file imports little.

import { Emitter } from "../core/events";
import { MAX_SEED } from "../core/link";
import { isNumber, isObject } from "../core/unknown";
import type { Standing } from "./server";
import { isPlainText, MAX_ANSWER, MAX_NAME, MAX_QUESTION } from "./text";

/** The key of the note. `main.ts` looks for it when the page is opened. */
const NOTE_KEY = "learnery:class";

export interface PupilNote {
  name: string;
  seed: number;
  /** The short code of the class. */
  code: string;
  /** The class's question, and the pupil's answer; both empty for none. */
  question: string;
  answer: string;
  /**
   * What the class did when this tab began: a run's link without its seed (task.ts), or that of a lesson (lesson.ts).
   */
  task: string;
  /** With which the class's server knows this tab; null in a class without a server. */
  token: string | null;
}

interface NoteEvents {
  /** The tab has joined a class or left it. */
  changed: null;
  /** The server has said where the class is. */
  heard: Standing;
}

class NoteNews extends Emitter<NoteEvents> {
  /** What the server has said last; null before. */
  last: Standing | null = null;

  changed(): void {
    this.last = null;
    this.emit("changed", null);
  }

  heard(standing: Standing): void {
    this.last = standing;
    this.emit("heard", standing);
  }
}

/** What happens to the class of this tab. */
export const news = new NoteNews();

/** The note that could not be stored; it lasts until the page is loaded again. */
let unstored: PupilNote | null = null;

export function keepNote(note: PupilNote | null): void {
  unstored = null;
  try {
    if (note) sessionStorage.setItem(NOTE_KEY, JSON.stringify(note));
    else sessionStorage.removeItem(NOTE_KEY);
  } catch {
    unstored = note;
  }
  news.changed();
}

export function keptNote(): PupilNote | null {
  if (unstored) return unstored;
  try {
    return readNote(JSON.parse(sessionStorage.getItem(NOTE_KEY) ?? ""));
  } catch {
    return null;
  }
}

function readNote(value: unknown): PupilNote | null {
  if (!isObject(value)) return null;
  const { name, seed, code, question, answer, task, token } = value;
  if (!isPlainText(name, MAX_NAME) || !isNumber(seed) || !(seed >= 0 && seed <= MAX_SEED)) return null;
  return {
    name,
    seed,
    code: isPlainText(code, MAX_NAME) ? code : "",
    question: isPlainText(question, MAX_QUESTION) ? question : "",
    answer: isPlainText(answer, MAX_ANSWER) ? answer : "",
    task: typeof task === "string" ? task : "",
    token: typeof token === "string" ? token : null,
  };
}
