// A QR code as a picture (SVG), made in the page by the library uqr. It is black on white in both themes, because many
// cameras read no inverted ones.

import { svg } from "../core/dom";

/** The longest address that is drawn. Phones read a denser code only from close by. */
export const MAX_QR_CHARACTERS = 1_800;
/** White modules around the code; the standard asks for four. */
const QUIET_ZONE = 4;

/** The QR code of an address; null if that is too long for one. */
export async function qrCode(address: string, label: string): Promise<SVGSVGElement | null> {
  if (address.length > MAX_QR_CHARACTERS) return null;
  const { encode } = await import("uqr");
  const { data, size } = encode(address, { ecc: "L", border: QUIET_ZONE });
  return svg(
    "svg",
    {
      viewBox: `0 0 ${size} ${size}`,
      class: "class-qr",
      role: "img",
      "aria-label": label,
      "shape-rendering": "crispEdges",
    },
    svg("rect", { width: size, height: size, fill: "#fff" }),
    svg("path", { d: pathOf(data), fill: "#000" }),
  );
}

/** The black modules: one rectangle for each run of them in a row. */
export function pathOf(rows: readonly (readonly boolean[])[]): string {
  let path = "";
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; x++) {
      const start = x;
      while (row[x]) x++;
      if (x > start) path += `M${start} ${y}h${x - start}v1h${start - x}z`;
    }
  return path;
}
