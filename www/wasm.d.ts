// Types of what a bundle exports (crates/web/src/wasm). A bundle is a lab's WebAssembly module with the JavaScript that
// wasm-bindgen generates. The types are written by hand, so that the page can be checked before bundles are built.

declare module "*/learnery_web.js" {
  /** Initialises the bundle with its compiled module. */
  export default function init(source: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  /** Size of the uncompressed module. */
  export const moduleBytes: number;
  /** Only in bundles with threads. */
  export const initThreadPool: undefined | ((threads: number) => Promise<unknown>);
  /** Makes all threads report failures on a broadcast channel. Call it once, before anything else. */
  export function reportFailuresOn(channel: string): void;
  /** Returns a `Build`. */
  export function build(): unknown;
  /**
   * Only in the bench bundle: runs the benchmarks whose names start with one of `names`. `each` is called with a line
   * of JSON for each.
   */
  export function bench(names: string[], target: string, threads: number, each: (line: string) => void): void;
  /** One session, which is a run of a lab, with its pace. */
  export class Host {
    /** Handles a `Request` given as JSON, with its bytes passed separately. Returns a `Message` or nothing. */
    handle(request: string, bytes?: Uint8Array): unknown;
    /** Returns a `progress` message if one is due. */
    news(): unknown;
    /** Trains for about this long. */
    slice(milliseconds: number): void;
    readonly isRunning: boolean;
    /** Milliseconds to wait before the next slice, to keep the pace. 0 at max speed. */
    readonly rest: number;
  }
}
