// The exports of the bundles (crates/web/src/wasm). Written by hand, so that the page can be type-checked before they
// are built.

declare module "*/learnery_web.js" {
  /** Fetches nothing: the compiled module is given to it. */
  export default function init(source: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  /** Size of the uncompressed module. */
  export const moduleBytes: number;
  /** Only in bundles with threads. */
  export const initThreadPool: undefined | ((threads: number) => Promise<unknown>);
  /** Call it once, before anything else. */
  export function reportFailuresOn(channel: string): void;
  /** Returns a `Build`. */
  export function build(): unknown;
  /**
   * Only in the bench bundle: runs the benches whose names start with one of `names`. `each` gets one line of JSON
   * text.
   */
  export function bench(names: string[], target: string, threads: number, each: (line: string) => void): void;
  /** One session with its pace. */
  export class Host {
    /** Takes a `Request` as JSON, with its bytes apart. Returns a `Message` or nothing. */
    handle(request: string, bytes?: Uint8Array): unknown;
    /** Returns a `progress` message if one is due. */
    news(): unknown;
    slice(milliseconds: number): void;
    readonly isRunning: boolean;
    readonly rest: number;
  }
}
