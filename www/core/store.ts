// What the browser saves of a run beside its checkpoint, and which tab saves. A lock lets only one tab at a time save a
// lab's runs. The runs themselves are kept by `core/library.ts`.

import { openChannel } from "./channel";
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
  /** Whether it was let go on after it had reached its goal. It then does not stop there again. */
  passedGoal: boolean;
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
    passedGoal: false,
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
    passedGoal: value["passedGoal"] === true,
  };
}

/** The claims of this tab by lab, those that were granted and those under way. */
const claims = new Map<string, Promise<boolean>>();

/** A tab that holds a lock and does not answer is being closed. Its lock is waited for at most this long. */
const MAX_CLOSING_MS = 3_000;

/** Tries to become the tab that saves this lab's runs. The lock is held until the tab is closed. */
export function claimLab(lab: string): Promise<boolean> {
  const known = claims.get(lab);
  if (known) return known;
  const claim = requestLock(`learnery:${lab}`);
  claims.set(lab, claim);
  void claim.then((granted) => !granted && claims.delete(lab));
  return claim;
}

/**
 * Waits for a lock until it is granted, or another tab says that it holds it. A browser releases the lock of a tab some
 * time after it was closed, and whoever opens the lab meanwhile continues its run. So a lock that is held is not enough
 * to refuse: the tab must be alive.
 */
function requestLock(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const refusal = new AbortController();
    const channel = openChannel(name); // without one, only the time tells that the other tab is alive
    const timer = setTimeout(() => refusal.abort(), MAX_CLOSING_MS);
    if (channel) channel.onmessage = ({ data }) => data === "held" && refusal.abort();
    const hold = () => {
      clearTimeout(timer);
      if (channel) channel.onmessage = ({ data }) => data === "who" && channel.postMessage("held");
      channel?.postMessage("held"); // for tabs that have asked before
      resolve(true);
      return new Promise(() => {}); // a promise that never resolves holds the lock
    };
    const giveUp = (error: unknown) => {
      clearTimeout(timer);
      channel?.close();
      // An old browser has no locks, or they are forbidden. Every tab then saves.
      resolve((error as Error).name !== "AbortError");
    };
    try {
      navigator.locks.request(name, { signal: refusal.signal }, hold).catch(giveUp);
      channel?.postMessage("who");
    } catch (error) {
      giveUp(error);
    }
  });
}
