// What the teacher's page of a class without a server keeps in this browser until it is cleared: the codes that were
// collected, those of them that a check has found to differ, and the task of the class. Without storage (a private
// window, or a page that may not) they last as long as the tab.

import { isObject } from "../core/unknown";
import { codesIn } from "./code-text";

const CODES_KEY = "learnery:class:codes";
const TASK_KEY = "learnery:class:task";
const REFUTED_KEY = "learnery:class:refuted";
/** The most codes of a class. */
export const MAX_CODES = 200;

/** What could not be written to the storage. */
const memory = new Map<string, string>();

function read(key: string): string {
  // It is newer than what is there, for example when the storage is full.
  const unwritten = memory.get(key);
  if (unwritten !== undefined) return unwritten;
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(key: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text);
  }
}

/** The codes of the text that was read or written last. To find them takes the checksum of each. */
let lastCodes: { text: string; codes: readonly string[] } = { text: "", codes: [] };

/** The codes that were collected, in the order in which they came. */
export function keptCodes(): readonly string[] {
  const text = read(CODES_KEY);
  if (text !== lastCodes.text) lastCodes = { text, codes: codesIn(text).slice(0, MAX_CODES) };
  return lastCodes.codes;
}

/** Keeps these codes, which `codesIn` has found. */
export function keepCodes(codes: readonly string[]): void {
  const text = codes.join("\n");
  lastCodes = { text, codes: codes.slice(0, MAX_CODES) };
  write(CODES_KEY, text);
}

/** The codes that a check has found to differ, with what differs. So a reload does not count them again. */
export function keptRefuted(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(read(REFUTED_KEY));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Notes what differs in a code; null if a check has found that nothing does. */
export function keepRefuted(code: string, what: string | null): void {
  const entries = Object.entries(keptRefuted()).filter(([each]) => each !== code);
  if (what !== null) entries.push([code, what]);
  write(REFUTED_KEY, entries.length === 0 ? "" : JSON.stringify(Object.fromEntries(entries.slice(-MAX_CODES))));
}

export const forgetRefuted = (): void => write(REFUTED_KEY, "");

/** The task of the class: a run's link, and a question. */
export interface KeptTask {
  link: string;
  question: string;
}

export function keptTask(): KeptTask | null {
  try {
    const value: unknown = JSON.parse(read(TASK_KEY));
    if (!isObject(value) || typeof value["link"] !== "string" || typeof value["question"] !== "string") return null;
    return { link: value["link"], question: value["question"] };
  } catch {
    return null;
  }
}

export const keepTask = (task: KeptTask | null): void => write(TASK_KEY, task ? JSON.stringify(task) : "");

/** Calls `changed` when another tab has changed what is kept. Returns a function that ends this. */
export function onKeptElsewhere(changed: () => void): () => void {
  const listener = ({ key }: StorageEvent) => (key === null || key === CODES_KEY || key === TASK_KEY) && changed();
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
