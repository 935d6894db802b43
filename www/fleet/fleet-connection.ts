// The connection of a tab to a fleet's server, over WebSocket. It connects again for as long as the tab wants it; what
// was not answered is sent again by the actors, so nothing has to be kept here. This file is loaded when the visitor
// joins, and with it the library of NATS.

import { AuthorizationError, PermissionViolationError, wsconnect, type NatsConnection } from "@nats-io/nats-core";
import { backoff } from "./backoff";
import type { FleetLink } from "./link";

/** The longest time that an attempt to connect may take. */
const MAX_CONNECT_MS = 10_000;
/** A server that does not answer two pings of this interval counts as gone. */
const PING_INTERVAL_MS = 15_000;
/** After a connection of this length, the waits begin anew with the shortest. */
const STABLE_MS = 30_000;

/** What a connection reports. */
export interface ConnectionEvents {
  open: () => void;
  /** The connection was lost, or there was none. `retryMs` are left until the next try. */
  lost: (retryMs: number) => void;
  /** The server refuses the link for good. */
  refused: (reason: string) => void;
}

export class FleetConnection {
  #nats: NatsConnection | undefined;
  #closed = false;
  /** Ends the wait before the next try. */
  #wake: () => void = () => {};
  /** Receivers by subject. */
  #receivers = new Map<string, (data: Uint8Array) => void>();

  constructor(
    readonly link: FleetLink,
    readonly events: ConnectionEvents,
  ) {}

  /** Whether messages can be sent now. */
  get isOpen(): boolean {
    return this.#nats !== undefined;
  }

  /** Connects, and connects again, until it is closed or refused. */
  async keep(): Promise<void> {
    for (let attempt = 0; !this.#closed; attempt++) {
      const startedAt = Date.now();
      const error = await this.#connectOnce();
      this.#nats = undefined;
      if (this.#closed) return;
      const reason = refusal(error);
      if (reason) return this.events.refused(reason);
      if (Date.now() - startedAt > STABLE_MS) attempt = 0;
      const waitMs = backoff(attempt, Math.random());
      this.events.lost(waitMs);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, waitMs);
      });
    }
  }

  /** Holds a connection. Resolves to the error that ended it, if there was one. */
  async #connectOnce(): Promise<unknown> {
    const { server, key } = this.link;
    try {
      const nats = await wsconnect({
        servers: [server],
        user: "actor",
        pass: key,
        timeout: MAX_CONNECT_MS,
        pingInterval: PING_INTERVAL_MS,
        noEcho: true,
        // Other servers of a cluster may have addresses that a browser does not reach.
        ignoreClusterUpdates: true,
        // `keep` connects again, with waits that grow.
        reconnect: false,
      });
      if (this.#closed) return await nats.close();
      this.#nats = nats;
      for (const subject of this.#receivers.keys()) this.#subscribe(nats, subject);
      this.events.open();
      return await nats.closed();
    } catch (error) {
      return error;
    }
  }

  #subscribe(nats: NatsConnection, subject: string): void {
    const callback = (error: Error | null, { data }: { data: Uint8Array }) => {
      if (!error) this.#receivers.get(subject)?.(data);
    };
    const { closed } = nats.subscribe(subject, { callback });
    void closed.then((error) => {
      const reason = refusal(error);
      if (!reason || this.#closed) return;
      this.#closed = true;
      void nats.close();
      this.events.refused(reason);
    });
  }

  /** Calls `receive` with every message of a subject. */
  subscribe(subject: string, receive: (data: Uint8Array) => void): void {
    this.#receivers.set(subject, receive);
    if (this.#nats) this.#subscribe(this.#nats, subject);
  }

  /** Sends a message if there is a connection. */
  publish(subject: string, data: Uint8Array): void {
    try {
      this.#nats?.publish(subject, data);
    } catch {
      // The connection was closed a moment ago. The actor sends it again when there is another.
    }
  }

  /** Sends what has been published, and closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#nats?.drain().catch(() => {}); // it may have been lost a moment ago
  }
}

/** Why a link will not do, or undefined for an error after which one tries again. */
function refusal(error: unknown): string | undefined {
  if (error instanceof AuthorizationError)
    return "The server does not accept this link's password. Ask the fleet's host for a new link.";
  if (error instanceof PermissionViolationError)
    return "The server does not let this link compute for the fleet. Ask the fleet's host for a new link.";
  return undefined;
}
