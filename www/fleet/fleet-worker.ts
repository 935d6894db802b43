// The worker of a tab that computes for a fleet. It owns the connection to the fleet's server and the actors
// (crates/web/src/actors.rs), and carries messages between the two. The actors compute in short slices, between which
// it handles messages of the server and of the page. A worker with this script can also be a thread of the actors'
// pool. The page's side is tab.ts.

import { runThread, startBundle, type Bundle } from "../core/load-bundle";
import { callFailure, loadFailure } from "../core/worker-failure";
import type { Failed, LoadRequest, ThreadStart } from "../core/worker-messages";
import type { ActorsProgress, Build } from "../generated/protocol";
import type { FleetConnection } from "./fleet-connection";
import type { Connect, FromFleetWorker, Leave, ToFleetWorker } from "./messages";
import { readStatus } from "./status";

type Actors = InstanceType<Bundle["Actors"]>;

/** Long enough that all threads are busy for most of it, short enough that a visitor notices no delay of "Pause". */
const SLICE_MS = 50;
/** While nothing is computed, the actors are asked for their next message this often. */
const IDLE_POLL_MS = 250;
/** The shortest time between two reports of progress to the page. */
const PROGRESS_MS = 250;
/** The longest wait until the connection is closed. */
const MAX_CLOSING_MS = 2_000;

const MISSING_BUNDLE_TEXT = "the program for fleets is missing on this site";
const GLUE_LOADERS = import.meta.glob<Bundle>("../generated/wasm/*/fleet/learnery_web.js");
const MODULE_URL_LOADERS = import.meta.glob<string>("../generated/wasm/*/fleet/*.wasm", {
  query: "?url",
  import: "default",
});

let connectRequest: Connect | undefined;
let connection: FleetConnection | undefined;
/** Undefined until the bundle is loaded. */
let actors: Actors | undefined;
let lastProgressAt = 0;
/** True after a failure, after leaving, and when nothing is left to do. The worker then does nothing more. */
let ended = false;

self.onmessage = async ({ data }: MessageEvent<ToFleetWorker>) => {
  if (data.type === "thread") await runThread(data, importGlueOf(data));
  else if (data.type === "connect") await connect(data).catch((error: unknown) => fail(loadFailure(error)));
  else if (data.type === "load") await load(data).catch((error: unknown) => fail(loadFailure(error)));
  else if (data.type === "pause") guarded(() => pause(data.paused));
  else await leave(data);
};

function importGlueOf({ bundle }: LoadRequest | ThreadStart): () => Promise<Bundle> {
  const importGlue = GLUE_LOADERS[`../generated/wasm/${bundle}/fleet/learnery_web.js`];
  if (!importGlue) throw new Error(MISSING_BUNDLE_TEXT);
  return importGlue;
}

async function connect(request: Connect): Promise<void> {
  connectRequest = request;
  const { FleetConnection } = await import("./fleet-connection");
  if (ended) return;
  connection = new FleetConnection(request.link, {
    open() {
      post({ type: "connection", state: "open" });
      guarded(() => {
        actors?.reconnected();
        work();
      });
    },
    lost: (retryMs) => post({ type: "connection", state: "lost", retryMs }),
    refused: (reason) => post({ type: "connection", state: "refused", reason }),
  });
  const decoder = new TextDecoder();
  connection.subscribe(`learnery.${request.link.fleet}.status`, (data) => {
    const status = readStatus(decoder.decode(data));
    if (status) post({ type: "status", status });
  });
  void connection.keep();
}

/** Loads the bundle, and creates the actors. An error of loading is thrown; an error of the actors is reported. */
async function load(request: LoadRequest): Promise<void> {
  const address = MODULE_URL_LOADERS[`../generated/wasm/${request.bundle}/fleet/learnery_web_bg.wasm`];
  if (!address) throw new Error(MISSING_BUNDLE_TEXT);
  const bundle = await startBundle(request, importGlueOf(request), [await address()], post);
  guarded(() => createActors(bundle, request.threads));
}

function createActors(bundle: Bundle, threads: number): void {
  if (!connectRequest || !connection) throw new Error("the bundle was loaded before the connection was begun");
  const { link, label, token } = connectRequest;
  const newActors = new bundle.Actors(link.fleet, label, token, threads);
  const openConnection = connection;
  newActors.subjects().forEach((subject, index) => {
    openConnection.subscribe(subject, (data) => {
      guarded(() => newActors.receive(index, data));
      scheduleWork();
    });
  });
  actors = newActors;
  post({ type: "actorsReady", build: bundle.build() as Build });
  work();
}

function pause(paused: boolean): void {
  actors?.pause(paused);
  lastProgressAt = 0; // reports at once
  work();
}

async function leave({ done }: Leave): Promise<void> {
  guarded(() => actors?.leave().forEach(send));
  ended = true;
  const closing = connection?.close();
  // A page that is being closed waits for "done", and ends the worker then. The library of NATS sends what was
  // published in a microtask, and a timer runs after all of these.
  await new Promise((resolve) => setTimeout(resolve));
  if (done) Atomics.store(done, 0, 1);
  // A connection that was lost without a notice closes only when a ping times out.
  await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, MAX_CLOSING_MS))]);
  post({ type: "left" });
}

// Work is scheduled by a message of the worker to itself, which arrives after the messages of the page and of the
// server that are waiting already. A timer of 0 ms would be delayed by 4 ms each time.
const workChannel = new MessageChannel();
workChannel.port1.onmessage = () => {
  isScheduled = false;
  guarded(work);
};
let isScheduled = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function scheduleWork(): void {
  if (isScheduled) return;
  isScheduled = true;
  workChannel.port2.postMessage(null);
}

/** Sends the messages that are due, and computes for a slice. */
function work(): void {
  clearTimeout(timer);
  if (!actors || ended) return;
  sendDueMessages(actors);
  if (actors.isComputing) {
    actors.slice(SLICE_MS);
    sendDueMessages(actors); // a result goes out at once
  }
  const now = performance.now();
  if (now - lastProgressAt >= PROGRESS_MS) {
    lastProgressAt = now;
    const progress = actors.progress() as ActorsProgress;
    post({ type: "progress", progress });
    if (isDone(progress)) return end();
  }
  if (actors.isComputing) scheduleWork();
  else timer = setTimeout(() => guarded(work), IDLE_POLL_MS);
}

/** Whether no actor goes on: each has found the run complete, or was refused by the fleet. */
function isDone(progress: ActorsProgress): boolean {
  const { asking, fetching, working, delivering } = progress.actors;
  return asking + fetching + working + delivering === 0;
}

function sendDueMessages(readyActors: Actors): void {
  if (connection?.isOpen) for (let message; (message = readyActors.poll());) send(message);
}

function send({ subject, pieces }: { subject: string; pieces: Uint8Array[] }): void {
  for (const piece of pieces) connection?.publish(subject, piece);
}

/** Makes a call into Rust, and reports it if it fails. Does nothing after the end. */
function guarded(call: () => void): void {
  if (ended) return;
  try {
    call();
  } catch (error) {
    fail(callFailure(error));
  }
}

/** Ends this worker, and reports why; `undefined` means that it has been reported already. */
function fail(failure: Failed | undefined): void {
  end();
  if (failure) post(failure);
}

function end(): void {
  ended = true;
  void connection?.close();
}

function post(message: FromFleetWorker): void {
  self.postMessage(message);
}
