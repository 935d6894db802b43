// How the scripts make each lab's recording and pictures, from the manifests of the labs (`labs/<lab>/manifest.ts`).
// The page does not load this.

import type { LabMedia } from "../ui/lab-manifest";

const MEDIA = import.meta.glob<LabMedia>("./*/manifest.ts", { eager: true, import: "media" });

/** What scripts know of a lab; empty for a lab without a manifest. */
export function mediaOf(id: string): LabMedia {
  return MEDIA[`./${id}/manifest.ts`] ?? {};
}
