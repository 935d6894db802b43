// A typed event emitter, the base class of objects that report events. The type parameter maps the name of each event
// to the type of its payload.

export class Emitter<Events extends object> {
  private listeners: { [K in keyof Events]?: Set<(payload: Events[K]) => void> } = {};

  /** Subscribes to an event. Returns a function that unsubscribes. */
  on<K extends keyof Events>(event: K, listener: (payload: Events[K]) => void): () => void {
    const set = (this.listeners[event] ??= new Set());
    set.add(listener);
    return () => set.delete(listener);
  }

  /** Calls the listeners of an event. They are copied first, because a listener may unsubscribe. */
  protected emit<K extends keyof Events>(event: K, payload: Events[K]): void {
    for (const listener of [...(this.listeners[event] ?? [])]) listener(payload);
  }
}
