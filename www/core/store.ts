// What the browser saves of a run beside its checkpoint, and which tab saves. A lock lets only one tab at a time save a
// lab's runs. The runs themselves are kept by `core/library.ts`.

import { isAmount, isObject } from "./unknown";

/** What a checkpoint file does not contain. */
export interface RunNote {
  /** Identifies the run among all runs of this browser; a resumed run keeps it. */
  id: string;
  /** The run that this one branched from, and at which unit; null for a run that started anew. */
  parent: { id: string; units: number } | null;
  /** Running time of the run over all visits, in seconds. */
  seconds: number;
  /** Running time and work (such as environment steps or tokens) when the goal was reached; null before. */
  solvedSeconds: number | null;
  solvedWork: number | null;
}

export interface SavedRun {
  bytes: Uint8Array<ArrayBuffer>;
  /** Milliseconds since 1970. */
  savedAt: number;
  note: RunNote | null;
}

/** The note of a run that starts. */
export function newNote(): RunNote {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return {
    id: `${high?.toString(36)}${low?.toString(36)}`,
    parent: null,
    seconds: 0,
    solvedSeconds: null,
    solvedWork: null,
  };
}

/** True for the ids of runs, which are also names of folders. */
export const isRunId = (id: unknown): id is string => typeof id === "string" && /^[0-9a-z-]{1,40}$/i.test(id);

/**
 * Reads a note. Damaged fields get default values; null if nothing is left of it. The run can be continued without it.
 */
export function readNote(value: unknown): RunNote | null {
  if (!isObject(value) || !isAmount(value["seconds"])) return null;
  const { id, parent, seconds, solvedSeconds, solvedWork } = value;
  return {
    id: isRunId(id) ? id : newNote().id, // notes of earlier versions have no `id`
    parent:
      isObject(parent) && isRunId(parent["id"]) && isAmount(parent["units"])
        ? { id: parent["id"], units: parent["units"] }
        : null,
    seconds,
    solvedSeconds: isAmount(solvedSeconds) ? solvedSeconds : null,
    solvedWork: isAmount(solvedWork) ? solvedWork : null,
  };
}

/** The labs whose runs this tab saves. */
const claimed = new Set<string>();

/** Tries to become the tab that saves this lab's runs. The lock is held until the tab is closed. */
export function claimLab(lab: string): Promise<boolean> {
  if (claimed.has(lab)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const claim = (lock: Lock | null) => {
      resolve(lock !== null);
      if (!lock) return undefined;
      claimed.add(lab);
      return new Promise(() => {}); // a promise that never resolves holds the lock
    };
    try {
      // With `ifAvailable`, `claim` gets null at once if another tab has the lock.
      navigator.locks.request(`learnery:${lab}`, { ifAvailable: true }, claim).catch(() => resolve(true));
    } catch {
      resolve(true); // An old browser has no locks, or they are forbidden. Every tab then saves.
    }
  });
}
