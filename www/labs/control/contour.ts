// Contour lines of the value map by marching squares, the two-dimensional case of marching cubes (Lorensen and Cline,
// 1987).

/**
 * Adds the lines on which `values` equal `level` to the canvas path. `values` is a grid of `size` by `size` points, row
 * by row from the bottom; it is drawn as a square with sides of `edge` canvas pixels.
 */
export function addContour(
  path: CanvasRenderingContext2D,
  values: Float32Array,
  size: number,
  level: number,
  edge: number,
): void {
  const cellSize = edge / (size - 1);
  const valueAt = (column: number, row: number) => values[row * size + column] as number;
  /** Where the level lies between two neighbouring points, from 0 to 1 (linear interpolation). */
  const crossing = (from: number, to: number) => (level - from) / (to - from);
  for (let row = 0; row + 1 < size; row++) {
    for (let column = 0; column + 1 < size; column++) {
      const [bottomLeft, bottomRight] = [valueAt(column, row), valueAt(column + 1, row)];
      const [topLeft, topRight] = [valueAt(column, row + 1), valueAt(column + 1, row + 1)];
      const above =
        Number(bottomLeft >= level) +
        Number(bottomRight >= level) +
        Number(topLeft >= level) +
        Number(topRight >= level);
      if (above === 0 || above === 4) continue;
      // The contour crosses each side whose ends lie on different sides of the level: two or all four of them.
      const crossings: [x: number, y: number][] = [];
      if (bottomLeft >= level !== bottomRight >= level)
        crossings.push([column + crossing(bottomLeft, bottomRight), row]);
      if (bottomRight >= level !== topRight >= level)
        crossings.push([column + 1, row + crossing(bottomRight, topRight)]);
      if (topLeft >= level !== topRight >= level) crossings.push([column + crossing(topLeft, topRight), row + 1]);
      if (bottomLeft >= level !== topLeft >= level) crossings.push([column, row + crossing(bottomLeft, topLeft)]);
      // Each pair of crossings gives a line. With four crossings either pairing is a valid contour, because the values
      // at the corners do not tell how they are connected; in a small cell the difference cannot be seen.
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const [[x1, y1], [x2, y2]] = crossings.slice(i, i + 2) as [[number, number], [number, number]];
        path.moveTo(x1 * cellSize, edge - y1 * cellSize);
        path.lineTo(x2 * cellSize, edge - y2 * cellSize);
      }
    }
  }
}
