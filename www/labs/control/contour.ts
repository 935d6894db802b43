// Contour lines by marching squares, the two-dimensional case of marching cubes (Lorensen and Cline, 1987).

/** Adds the line on which `values`, a grid of `size` by `size`, equal `level` to the path. */
export function contour(
  context: CanvasRenderingContext2D,
  values: Float32Array,
  size: number,
  level: number,
  edge: number,
): void {
  const step = edge / (size - 1);
  const at = (i: number, j: number) => values[j * size + i] as number;
  const cross = (a: number, b: number) => (level - a) / (b - a);
  for (let j = 0; j + 1 < size; j++) {
    for (let i = 0; i + 1 < size; i++) {
      const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      const above = Number(a >= level) + Number(b >= level) + Number(c >= level) + Number(d >= level);
      if (above === 0 || above === 4) continue;
      const points: number[] = [];
      if (a >= level !== b >= level) points.push(i + cross(a, b), j);
      if (b >= level !== c >= level) points.push(i + 1, j + cross(b, c));
      if (d >= level !== c >= level) points.push(i + cross(d, c), j + 1);
      if (a >= level !== d >= level) points.push(i, j + cross(a, d));
      for (let p = 0; p + 3 < points.length; p += 4) {
        context.moveTo((points[p] as number) * step, edge - (points[p + 1] as number) * step);
        context.lineTo((points[p + 2] as number) * step, edge - (points[p + 3] as number) * step);
      }
    }
  }
}
