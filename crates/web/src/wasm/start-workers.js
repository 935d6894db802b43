// `cargo xtask web` puts this file in the place of the module of wasm-bindgen-rayon that creates the workers of its pool:
// the page creates them here (www/core/threads.ts). The crate's module creates them in the session's worker, and in
// Firefox with a debugger attached, `new Worker` in a worker sometimes never returns: the worker that is created takes
// the signal that its creator waits for.

/** Resolves when the pool runs. `builder` is the crate's `PoolBuilder`. */
export async function startWorkers(module, memory, builder) {
  const { port1, port2 } = new MessageChannel();
  const started = new Promise((resolve) => (port1.onmessage = resolve));
  // A `ThreadsRequest` (www/core/worker-messages.ts).
  const later = globalThis.learneryLater;
  const request = { type: "threads", count: builder.numThreads(), module, memory, receiver: builder.receiver(), later };
  self.postMessage({ ...request, started: port2 }, [port2]);
  await started;
  port1.close();
  // This blocks until the threads run, which only a worker may do, not a page's main thread.
  builder.build();
}
