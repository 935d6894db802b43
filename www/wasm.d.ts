// Type declarations for the exports of a bundle (crates/web/src/wasm). A bundle is a lab's WebAssembly module with the
// JavaScript that wasm-bindgen generates for it. They are written by hand, so that the page can be type-checked before
// any bundle is built. Bundles are imported dynamically: an export that a bundle lacks is then `undefined`.

declare module "*/learnery_web.js" {
  /** Instantiates the compiled module. Await it before any other call. */
  export default function init(source: {
    module_or_path: WebAssembly.Module;
    /** The memory that all threads share; without it, a new one. */
    memory?: WebAssembly.Memory;
  }): Promise<unknown>;
  /** Size of the uncompressed WebAssembly file in bytes; `cargo xtask web` adds it. */
  export const moduleBytes: number;
  /**
   * Size of the later part of the module (crates/web/later) in bytes. This and the next are `undefined` without one.
   */
  export const laterBytes: number | undefined;
  /**
   * Takes the function that instantiates the later part for an instance of the module with these exports. Call it
   * before `init`. `slot` is the slot of the function table that was empty.
   */
  export const onLaterPart: undefined | ((load: (exports: WebAssembly.Exports, slot: number) => void) => void);
  /**
   * Builds the pool of threads of the crate wasm-bindgen-rayon. It sends the page a `ThreadsRequest`
   * (core/worker-messages.ts). This and the next are `undefined` in bundles with one thread.
   */
  export const initThreadPool: undefined | ((threads: number) => Promise<unknown>);
  /** Runs a thread of the pool; does not return. */
  export const wbg_rayon_start_worker: undefined | ((receiver: number) => void);
  /**
   * Makes every thread post a panic or failed allocation to the broadcast channel of this name. Call it once, right
   * after `init`.
   */
  export function reportFailuresOn(channel: string): void;
  /** Returns a `Build` (generated/protocol.ts): how the bundle was built. */
  export function build(): unknown;
  /**
   * Runs the benchmarks whose names begin with one of `prefixes` and calls `onResult` with a line of JSON for each.
   * `target` and `threads` name the build and its threads in the results. `undefined` except in the bundle of the
   * benchmarks.
   */
  export const bench:
    undefined | ((prefixes: string[], target: string, threads: number, onResult: (line: string) => void) => void);
  /**
   * Holds one training session and limits its speed. In a bundle with the tools of a lab it takes a `ToolsRequest`
   * instead and answers questions. `undefined` in the bundles `fleet` and `world`.
   */
  export class Host {
    /**
     * Executes a `Request` (generated/protocol.ts) given as JSON; `bytes` is the file of a request to resume. Returns
     * a `Message`, or `undefined` if there is no answer yet.
     */
    handle(request: string, bytes?: Uint8Array): unknown;
    /** Returns the next `Message` that is due without a request, such as progress, or `undefined`. */
    takeMessage(): unknown;
    /** Trains for about this long. */
    slice(milliseconds: number): void;
    /** Whether `slice` has work to do. */
    readonly hasWork: boolean;
    /** Milliseconds to wait before the next slice, to stay at the chosen speed. 0 at max speed. */
    readonly millisecondsUntilSlice: number;
  }
  /** The actors of a fleet in this tab (crates/web/src/actors.rs). `undefined` except in the bundle `fleet`. */
  export class Actors {
    /** One actor for each thread. `token` has 16 bytes. */
    constructor(fleet: string, label: string, token: Uint8Array, threads: number);
    /** The subjects of the messages to the actors. */
    subjects(): string[];
    /** Takes a message that was published on subject number `subject`. */
    receive(subject: number, bytes: Uint8Array): void;
    /** The connection is back. */
    reconnected(): void;
    /** Stops computing, or goes on. */
    pause(paused: boolean): void;
    /** The next message that is due, or undefined. */
    poll(): Outgoing | undefined;
    /** Leaves the fleet. Returns the last messages to send, which tell the host so. */
    leave(): Outgoing[];
    /** Whether `slice` has something to compute. */
    readonly isComputing: boolean;
    /** Computes for about this long, on every thread. */
    slice(milliseconds: number): void;
    /** Returns an `ActorsProgress` (generated/protocol.ts). */
    progress(): unknown;
  }
  /** The text and the world of the editor (crates/web/src/own_world). `undefined` except in the bundle `world`. */
  export class OwnWorld {
    /** Checks a text and returns a `CheckedWorld` (generated/protocol.ts). A world becomes the live one. */
    check(text: string): unknown;
    /** Starts the first episode with this seed. */
    reset(seed: number): void;
    /** Starts the next episode. */
    nextEpisode(): void;
    setParameter(index: number, value: number): void;
    /** Takes a step, unless the episode has ended. */
    step(action: Float32Array): void;
    /** Returns an `Episode` (generated/protocol.ts); null before there was a world. */
    episode(): unknown;
    /** Returns a `FlatPicture` (labs/control/own-world/messages.ts). */
    picture(): unknown;
    /** Gives its memory back; it cannot be used any more. */
    free(): void;
  }
  /** A message to the fleet's host: what is published, one piece after the other. */
  type Outgoing = { subject: string; pieces: Uint8Array[] };
}
