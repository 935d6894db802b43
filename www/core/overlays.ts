// Curves of other runs that are drawn over the large chart of the open run, each in a colour of its own.

import { Emitter } from "./events";
import type { Curve } from "./run-metadata";

export interface Overlay {
  /** The id of the run. */
  id: string;
  title: string;
  curve: Curve;
  /** Its colour and dashes: a number from 0 to MAX_OVERLAYS - 1. */
  style: number;
}

/** The most curves that are drawn over a chart. */
export const MAX_OVERLAYS = 3;

export class Overlays extends Emitter<{ changed: null }> {
  list: Overlay[] = [];

  has(id: string): boolean {
    return this.list.some((overlay) => overlay.id === id);
  }

  /** Adds a run's curve. Returns false if there are as many as can be told apart. */
  add(id: string, title: string, curve: Curve): boolean {
    if (this.list.length >= MAX_OVERLAYS) return false;
    const taken = new Set(this.list.map(({ style }) => style));
    const style = Array.from({ length: MAX_OVERLAYS }, (_, i) => i).find((i) => !taken.has(i)) ?? 0;
    this.#set([...this.list, { id, title, curve, style }]);
    return true;
  }

  remove(id: string): void {
    if (this.has(id)) this.#set(this.list.filter((overlay) => overlay.id !== id));
  }

  #set(list: Overlay[]): void {
    this.list = list;
    this.emit("changed", null);
  }
}
