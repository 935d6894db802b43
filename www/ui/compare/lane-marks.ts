// The letter and the colour by which a run that is compared is recognised. The colours stand for nothing else, and can
// be told apart by colour-blind people; the letters work without colours.

import { colour } from "../../core/theme";

/** The letter of the lane at a place, from 0 to `MAX_CONTENDERS` - 1. */
export const laneLetter = (place: number) => "ABCD".charAt(place);

/** The CSS custom property with the colour of the lane at a place (style/compare.css). */
export const laneProperty = (place: number) => `--lane-${place + 1}`;

/** The present colour of the lane at a place, for drawing on a canvas. */
export const laneColour = (place: number) => colour(laneProperty(place));
