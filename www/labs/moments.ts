// Finds what links can carry of the labs, `labs/<lab>/moment.ts`. Loaded when such a link is made or opened.

import type { LabMoment, LabMomentModule } from "../ui/lab-moment";

const LOADERS = import.meta.glob<LabMomentModule>("./*/moment.ts");

/** What a link can carry of a lab beside the run; null for nothing. */
export async function loadLabMoment(id: string): Promise<LabMoment | null> {
  return (await LOADERS[`./${id}/moment.ts`]?.())?.moment ?? null;
}
