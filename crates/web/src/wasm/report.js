// Called by the failure hooks in whichever worker fails. The flag tells this worker's own script that the trap which
// follows has been reported.

export function reportFailure(channel, kind, message) {
  globalThis.learneryFailureReported = true;
  const broadcast = new BroadcastChannel(channel);
  broadcast.postMessage({ type: "failed", kind, message });
  broadcast.close();
}
