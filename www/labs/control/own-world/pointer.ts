// Presses and drags in the picture of a world, which play it.

import { listen } from "../../../core/dom";

/** A place in a picture, from -1 to 1, upwards. */
export interface Place {
  x: number;
  y: number;
}

/**
 * Calls `point` with the pointer's place while it is held down in a picture, and with null when it is released.
 * `allows`: whether a press can mean an action now.
 */
export function listenPointer(surface: HTMLElement, allows: () => boolean, point: (place: Place | null) => void): void {
  let isDown = false;
  const placeOf = ({ clientX, clientY }: PointerEvent): Place => {
    const { left, top, width, height } = surface.getBoundingClientRect();
    return { x: (2 * (clientX - left)) / width - 1, y: 1 - (2 * (clientY - top)) / height };
  };
  const end = () => {
    if (isDown) point(null);
    isDown = false;
  };
  listen(surface, {
    pointerdown: (event) => {
      if (!allows()) return;
      surface.setPointerCapture(event.pointerId);
      isDown = true;
      point(placeOf(event));
    },
    pointermove: (event) => {
      // A window that was left does not hear of the release.
      if (!allows() || event.buttons === 0) end();
      else if (isDown) point(placeOf(event));
    },
    pointerup: end,
    pointercancel: end,
    lostpointercapture: end,
  });
}
