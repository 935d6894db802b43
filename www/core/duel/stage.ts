// The stage (the interactive picture) of a copy of an agent, in a worker of its own. The copy is a new run that is
// given the agent's network: random numbers of the stage follow from the seed of a run, so copies of both agents with
// the same seed, that of the duel or of a task, have the same ones. It never trains.

import type { JsonValue } from "../../generated/protocol";
import { Incoming, IncomingFailure } from "../incoming";
import { readTensors, replaceTensors } from "../moment-tensors";
import { Superseded } from "../requests";
import { Run } from "../run";
import type { AnyView } from "../run-events";
import type { Duelist } from "./duelist";

const NETWORK_PREFIX = "network/";

export class DuelStage {
  readonly run: Run;
  #incoming: Incoming | null = null;
  /** Why no further view comes; null while all is well. */
  #failure: Error | null = null;
  /** Ends the wait for a view. */
  #reject: ((error: Error) => void) | null = null;

  constructor(readonly duelist: Duelist) {
    this.run = new Run({ ...duelist.bundle, threads: 1 });
    this.run.on("failed", ({ message }) => this.#fail(new Error(message)));
    this.run.on("refused", ({ message }) => this.#fail(new Error(message)));
  }

  /** Opens a copy of the agent with this seed, in place of the copy before. */
  async begin(seed: number): Promise<void> {
    const { run } = this;
    const { lab, settings, data, bytes } = this.duelist;
    if (!run.loaded) await this.#load();
    await run.start(lab, settings, seed);
    if (data !== null) await run.setData(data);
    const fresh = (await run.save()).bytes;
    const copy = withNetwork(fresh, bytes);
    if (!copy) throw new Error("an agent could not be copied");
    await run.resume(copy, null);
  }

  async #load(): Promise<void> {
    const { lab, settings } = this.duelist;
    const incoming = (this.#incoming = new Incoming(this.run.cpuBundle, lab, settings, () => {}));
    try {
      await incoming.fetched;
      await incoming.start();
    } catch (error) {
      throw error instanceof IncomingFailure ? new Error(error.failure.message) : error;
    }
    this.#incoming = null;
    if (this.#failure) throw this.#failure;
    this.run.adopt(incoming);
  }

  /** Sends a command to the stage. */
  command(command: JsonValue): void {
    this.run.command(command);
  }

  /** The next view, for which the stage has been animated for so many seconds. */
  view(seconds: number): Promise<AnyView> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#reject = reject;
      const stop = this.run.on("view", (view) => {
        stop();
        this.#reject = null;
        resolve(view);
      });
      this.run.requestView(seconds);
    });
  }

  close(): void {
    this.#incoming?.close();
    this.#fail(new Superseded());
    this.run.close();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#reject?.(this.#failure);
    this.#reject = null;
  }
}

/** A copy of a checkpoint with the network of another one; null if its sizes are others. */
function withNetwork(fresh: Uint8Array, trained: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const network = [...(readTensors(trained) ?? [])].filter(([name]) => name.startsWith(NETWORK_PREFIX));
  if (network.length === 0) return null;
  return replaceTensors(fresh, new Map(network.map(([name, { bytes }]) => [name, bytes])));
}
