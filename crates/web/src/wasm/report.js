// Called by the failure hooks in whichever worker fails. The flag tells this worker's own script that the trap which
// follows has been reported. Where the browser forbids broadcast channels this throws, and the script reports the trap.

export function reportFailure(channel, kind, message) {
  const broadcast = new BroadcastChannel(channel);
  broadcast.postMessage({ type: "failed", kind, message });
  broadcast.close();
  globalThis.learneryFailureReported = true;
}
