// What the two bundles export (crates/web/src/wasm). Written by hand, so that the page can be checked
// before they are built.

declare module "*/learnery_web.js" {
  /** Fetches nothing itself: the module is given to it. */
  export default function init(source: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  /** Size of the module once it is unpacked. */
  export const moduleBytes: number;
  /** Only in the bundle with threads. */
  export const initThreadPool: undefined | ((threads: number) => Promise<unknown>);
  /** To be called once, before anything else. */
  export function reportFailuresOn(channel: string): void;
  /** A `Catalogue`. */
  export function catalogue(): unknown;
  /** Measures the benches whose names begin with one of `names`; each line comes as JSON text. */
  export function bench(names: string[], target: string, threads: number, each: (line: string) => void): void;
  /** One session and its pace. */
  export class Host {
    /** Takes a `Request`, gives a `Message` or nothing. */
    handle(request: unknown): unknown;
    /** A `progress` message when it is time for one. */
    news(): unknown;
    slice(milliseconds: number): void;
    readonly isRunning: boolean;
    readonly rest: number;
  }
}
