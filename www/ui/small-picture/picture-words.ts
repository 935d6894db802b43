// What small pictures show, in words for screen readers.

import type { Settings } from "../../core/values";
import type { Picture } from "./picture";

/** What a recording shows. */
export function recordingWords(picture: Picture): string {
  return `A recording: ${picture.words}`;
}

/** What the picture of an open run shows. `name` says which run it is. */
export function liveWords(name: string, picture: Picture, settings: Settings): string {
  return picture.isLike?.(settings) === false ? name : `${name}: ${picture.words}`;
}
