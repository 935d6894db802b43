// The icons on buttons. Each is an SVG path, drawn as a line, in a square of 24 units with the origin at the upper
// left.

import { svg } from "../core/dom";

/** SVG path data by the name of the icon. `unit` is on the button that finishes a unit (a training iteration). */
const ICON_PATHS = {
  play: "M8 5.5v13l11-6.5z",
  pause: "M8 5.5h3v13H8zM14 5.5h3v13h-3z",
  step: "M7 6v12l8-6zM17 6v12",
  unit: "M5 6v12l7-6zM12 6v12l7-6zM20 6v12",
  restart: "M5 12a7 7 0 1 0 2.3-5.2M5 4v4h4",
  share: "M9 12a3.5 3.5 0 0 0 5 .3l3-3a3.5 3.5 0 0 0-5-5l-1 1M15 12a3.5 3.5 0 0 0-5-.3l-3 3a3.5 3.5 0 0 0 5 5l1-1",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  dark: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  help: "M9 9.2a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2M12 17.6v.1",
  dials: "M4 7h8M16 7h4M14 4.8v4.4M4 17h3M11 17h9M9 14.8v4.4",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  dice: "M5 5h14v14H5zM9 9v.1M15 15v.1M15 9v.1M9 15v.1",
} as const;

export type Icon = keyof typeof ICON_PATHS;

export function icon(name: Icon): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" },
    svg("path", { d: ICON_PATHS[name] }),
  );
}
