// The runs that the visitor has chosen to compare, from the library, the timeline or the settings. The tool `compare`
// trains and shows them.

import { Emitter } from "./events";
import type { JsonValue } from "../generated/protocol";
import type { Settings } from "./link";

/** A run that is compared with others of its lab. */
export interface Contender {
  title: string;
  /** The settings that differ from the defaults. */
  settings: Settings;
  seed: number;
  /** Loads the checkpoint that the run continues; null if it starts from nothing. */
  load: (() => Promise<Uint8Array<ArrayBuffer>>) | null;
  /** The command that gives a run that starts from nothing data of the visitor's own; null for none. */
  data?: JsonValue | null;
}

/** The most runs that are compared at a time. */
export const MAX_CONTENDERS = 4;

export class Contenders extends Emitter<{ changed: Contender[] }> {
  list: Contender[] = [];

  /** Adds a run. Returns false if there are as many as can be compared. */
  add(contender: Contender): boolean {
    if (this.list.length >= MAX_CONTENDERS) return false;
    this.#set([...this.list, contender]);
    return true;
  }

  remove(contender: Contender): void {
    this.#set(this.list.filter((each) => each !== contender));
  }

  #set(list: Contender[]): void {
    this.list = list;
    this.emit("changed", list);
  }
}
