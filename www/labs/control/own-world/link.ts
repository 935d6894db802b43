// A world in a link: `#/control?show=world.…`, where the dots are the text, packed (core/packed.ts).

import type { HiddenPart } from "../../../core/link";
import * as packed from "../../../core/packed";

export { MAX_PACKED, packText } from "../../../core/packed";

/** What such a part of a link begins with. */
export const WORLD_PREFIX = "world.";
/** Bytes of a text; the language has the same limit. */
export const MAX_TEXT_BYTES = 65_536;

/** The text of a part of a link, or null if it is damaged or too long. */
export const unpackText = (part: string): Promise<string | null> => packed.unpackText(part, MAX_TEXT_BYTES);

/** The link of a packed text, as the hash of an address, which hides what is hidden here. */
export const worldLink = (part: string, hidden: HiddenPart | null): string =>
  `#/control?show=${WORLD_PREFIX}${part}${hidden ? `&hide=${hidden}` : ""}`;
