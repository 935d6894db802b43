// The numbers of requests to workers, and promises of the replies that repeat them.

import type { Reply } from "../generated/protocol";
import type { FromWorker } from "./worker-messages";

/** The replies of a type. */
export type ReplyOf<Type extends Reply["type"]> = Extract<Reply, { type: Type }>;

/** Something else was asked for meanwhile, so what was waited for does not come. */
export class Superseded extends Error {
  constructor() {
    super("the run was closed, or another one was opened");
  }
}

/** The worker has refused a request, for the reason in the message. */
export class Refusal extends Error {}

let lastId = 0;

/** A number for a request that no other request of this page has. Later requests have larger ones. */
export const nextId = (): number => ++lastId;

/** The requests to a worker whose replies are waited for. */
export class Requests {
  readonly #open = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();

  /**
   * Resolves to the reply to a request. Rejects with a `Refusal` if the worker refuses it, and with `Superseded` if the
   * worker opens another run before it replies.
   */
  reply(id: number): Promise<Reply> {
    const reply = new Promise<Reply>((resolve, reject) => this.#open.set(id, { resolve, reject }));
    reply.catch(() => {}); // whoever waits for it gets the error too
    return reply;
  }

  /** Takes a message of the worker. */
  receive(message: FromWorker): void {
    if (!("id" in message) || message.id === undefined) return;
    const { id } = message;
    // What was asked of the run before has no reply any more.
    if (message.type === "opened") this.drop(new Superseded(), id);
    const request = this.#open.get(id);
    this.#open.delete(id);
    if (message.type === "refused") request?.reject(new Refusal(message.message));
    else request?.resolve(message as Reply);
  }

  /** Rejects the requests with numbers below `end`. */
  drop(error: Error, end = Infinity): void {
    for (const [id, { reject }] of this.#open) {
      if (id >= end) continue;
      this.#open.delete(id);
      reject(error);
    }
  }
}
