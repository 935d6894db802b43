// The way to what links carry of moments. The code that a first visit loads names every file of what it imports, so it
// imports this file alone.

import type { OpenMomentArguments } from "./open-moment";

export { loadLabMoment } from "./labs/moments";

/** Opens the moment of a link (open-moment.ts). */
export async function openMoment(...of: OpenMomentArguments): Promise<void> {
  await (await import("./open-moment")).openMoment(...of);
}
