// Opens what links carry of their sender's picture. Its parts are loaded only for such links. The code of every visit
// has the names of all files that it may import later, so to stay small it imports this file alone.

import type { OpenMomentArguments } from "./open-moment";

export { loadLabMoment } from "./labs/moments";

/** Opens the moment of a link (open-moment.ts). */
export async function openMoment(...of: OpenMomentArguments): Promise<void> {
  await (await import("./open-moment")).openMoment(...of);
}
