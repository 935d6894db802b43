// Vectors and rotation matrices in three dimensions, for the drawing of the cube. Angles are in radians.

/** A vector by its components along the axes 0, 1 and 2. */
export type Vec = readonly [number, number, number];
/** A matrix as three rows. */
export type Matrix = readonly [Vec, Vec, Vec];

export function scaled([x, y, z]: Vec, factor: number): Vec {
  // Adding 0 turns minus zero into zero. Vectors are compared by their text, where the two differ.
  return [x * factor + 0, y * factor + 0, z * factor + 0];
}

export function dot(a: Vec, b: Vec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vec, b: Vec): Vec {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export const IDENTITY: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export function apply(m: Matrix, v: Vec): Vec {
  return [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
}

export function transposed(m: Matrix): Matrix {
  return [0, 1, 2].map((j) => [m[0][j], m[1][j], m[2][j]]) as unknown as Matrix;
}

/** The matrix that applies `first`, and then `then`. */
export function product(then: Matrix, first: Matrix): Matrix {
  const columns = transposed(first);
  return then.map((row) => columns.map((column) => dot(row, column))) as unknown as Matrix;
}

/** A rotation around a unit vector, counterclockwise as seen from its tip (Rodrigues' formula). */
export function rotation([x, y, z]: Vec, angle: number): Matrix {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  // The rotation is cos · identity + (1 - cos) · (outer product of the axis with itself) + sin · (cross product
  // matrix).
  const d = 1 - c;
  return [
    [c + x * x * d, x * y * d - z * s, x * z * d + y * s],
    [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
    [z * x * d - y * s, z * y * d + x * s, c + z * z * d],
  ];
}

/** The unit vectors of the three axes. */
export const AXES: readonly Vec[] = IDENTITY;
