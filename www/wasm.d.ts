// What the bundles export (crates/web/src/wasm). Written by hand, so that the page can be checked
// before they are built.

declare module "*/learnery_web.js" {
  /** Fetches nothing itself: the module is given to it. */
  export default function init(source: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  /** Size of the module once it is unpacked. */
  export const moduleBytes: number;
  /** Only in bundles with threads. */
  export const initThreadPool: undefined | ((threads: number) => Promise<unknown>);
  /** To be called once, before anything else. */
  export function reportFailuresOn(channel: string): void;
  /** A `Build`. */
  export function build(): unknown;
  /** Only in the bundle of the benches: measures those whose names begin with one of `names`; each line comes as JSON text. */
  export function bench(names: string[], target: string, threads: number, each: (line: string) => void): void;
  /** One session and its pace. */
  export class Host {
    /** Takes a `Request` as JSON, its bytes apart; gives a `Message` or nothing. */
    handle(request: string, bytes?: Uint8Array): unknown;
    /** A `progress` message when it is time for one. */
    news(): unknown;
    slice(milliseconds: number): void;
    readonly isRunning: boolean;
    readonly rest: number;
  }
}
