// Broadcast channels, by which the tabs and workers of this site send each other messages.

/** A broadcast channel, or null where the browser forbids it, as Firefox does if all cookies are blocked. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
