// Loads the small picture of one lab, and its recording in a card that plays while the lab loads. The front has those
// of all labs (pictures.ts).

import type { Settings } from "../core/values";
import type { LoadingRecording } from "../ui/small-picture/loading-recording";
import type { SmallPicture } from "../ui/small-picture/picture";

const LOADERS = import.meta.glob<SmallPicture>("./*/picture.ts");

/** How a lab is drawn in small; null for a lab that has no such picture. */
export async function loadSmallPicture(id: string): Promise<SmallPicture | null> {
  return (await LOADERS[`./${id}/picture.ts`]?.()) ?? null;
}

/**
 * The recording of a lab, to be played while it loads a run with these settings; null if there is none of such a run.
 */
export async function loadRecording(id: string, settings: Settings): Promise<LoadingRecording | null> {
  const [small, { LoadingRecording }] = await Promise.all([
    loadSmallPicture(id),
    import("../ui/small-picture/loading-recording"),
  ]);
  if (small?.picture.isLike?.(settings) === false) return null;
  return small && new LoadingRecording(small);
}
