// A typed event emitter, the base class of objects that report events. The type parameter maps the name of each event
// to the type of its payload.

import type { Cleanups } from "./cleanups";

export class Emitter<Events extends object> {
  private listeners: { [K in keyof Events]?: Set<(payload: Events[K]) => void> } = {};

  /** Collects the subscriptions that are made at present; null if nobody collects them. */
  #collector: Cleanups | null = null;

  /** Subscribes to an event. Returns a function that unsubscribes. */
  on<K extends keyof Events>(event: K, listener: (payload: Events[K]) => void): () => void {
    const set = (this.listeners[event] ??= new Set());
    set.add(listener);
    const unsubscribe = () => set.delete(listener);
    this.#collector?.add(unsubscribe);
    return unsubscribe;
  }

  /** Calls `create`. Whatever it subscribes to is unsubscribed by `cleanups`. */
  collect<Created>(cleanups: Cleanups, create: () => Created): Created {
    const before = this.#collector;
    this.#collector = cleanups;
    try {
      return create();
    } finally {
      this.#collector = before;
    }
  }

  /** Calls the listeners of an event. They are copied first, because a listener may unsubscribe. */
  protected emit<K extends keyof Events>(event: K, payload: Events[K]): void {
    for (const listener of [...(this.listeners[event] ?? [])]) listener(payload);
  }
}
