// The small pictures of all labs and their recordings, `labs/<lab>/picture.ts`. They are one file of the site, smaller
// than a lab, because the front needs all of them at once.

import type { SmallPicture } from "../ui/small-picture/picture";

// A run sends only views of its own lab, which the types cannot express (see manifests.ts).
const PICTURES = import.meta.glob<SmallPicture>("./*/picture.ts", { eager: true });

/** How a lab is drawn in small, and what the front plays; null for a lab that has no such picture. */
export function smallPictureOf(id: string): SmallPicture | null {
  return PICTURES[`./${id}/picture.ts`] ?? null;
}
