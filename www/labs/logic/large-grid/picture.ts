// How a large grid is drawn: a triangle over the whole picture, whose fragment shader reads the packed cells. A pixel
// shows one cell, or the mean colour of the cells that it covers (of at most 16 rows and columns of them).

import type { Rgb } from "../../../core/colour";
import type { Camera } from "./camera";
import { CELLS_PER_WORD } from "./circuit";

/** The most rows and columns of cells that a pixel averages over; of more, it takes every second, third and so on. */
const MAX_SAMPLES = 16;

/** The colours of a picture by combination of active channels, and what lies around the grid. */
export interface Colours {
  /** Two for one channel; eight for red, green and blue. */
  cells: Rgb[];
  around: Rgb;
}

/** Bytes of a float, and of an integer. */
const BYTES_PER_NUMBER = 4;
/** The shader's struct `Picture`: eight numbers (four floats, four integers), then nine colours of four floats each. */
const NUMBERS_BEFORE_COLOURS = 8;
const INTEGERS_OFFSET = 4;
const [COLOUR_COUNT, NUMBERS_PER_COLOUR] = [9, 4];
export const UNIFORM_BYTES = BYTES_PER_NUMBER * (NUMBERS_BEFORE_COLOURS + COLOUR_COUNT * NUMBERS_PER_COLOUR);

interface PictureOptions {
  camera: Camera;
  colours: Colours;
  /** Bitmap pixels per CSS pixel. */
  scale: number;
  /** Width and height of the bitmap. */
  picture: [number, number];
  /** Cells in a row of the grid. */
  size: number;
  /** The number of channels that are shown: one, or three for red, green and blue. */
  shown: number;
}

/** The numbers that the shader reads. */
export function pictureValues({ camera, colours, scale, picture, size, shown }: PictureOptions): Float32Array {
  const values = new Float32Array(UNIFORM_BYTES / BYTES_PER_NUMBER);
  const cellsPerPixel = 1 / (camera.scale * scale);
  const [width, height] = picture;
  values.set([camera.x - (width / 2) * cellsPerPixel, camera.y - (height / 2) * cellsPerPixel, cellsPerPixel]);
  new Uint32Array(values.buffer).set([size, size / CELLS_PER_WORD, shown], INTEGERS_OFFSET);
  const writeColour = (colour: Rgb, i: number) =>
    values.set([...colour.map((c) => c / 255), 1], NUMBERS_BEFORE_COLOURS + NUMBERS_PER_COLOUR * i);
  writeColour(colours.around, 0);
  colours.cells.forEach((colour, i) => writeColour(colour, 1 + i));
  return values;
}

export const PICTURE_WGSL = `
struct Picture {
  // The position of the picture's upper left corner on the grid, and the side of a pixel, in cells.
  corner: vec2f,
  step: f32,
  unused: f32,
  size: u32,
  words: u32,
  shown: u32,
  also_unused: u32,
  // Around the grid, then by combination of active channels.
  colours: array<vec4f, 9>,
}
@group(0) @binding(0) var<uniform> picture: Picture;
@group(0) @binding(1) var<storage, read> cells: array<u32>;

@vertex
fn corners(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Cells lie channel by channel and row by row, a bit each, the lowest bit first.
fn colour_of(x: u32, y: u32) -> vec3f {
  var combination = 0u;
  for (var channel = 0u; channel < picture.shown; channel++) {
    let word = cells[(channel * picture.size + y) * picture.words + x / ${CELLS_PER_WORD}u];
    combination |= ((word >> (x % ${CELLS_PER_WORD}u)) & 1u) << channel;
  }
  return picture.colours[1u + combination].rgb;
}

@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let corner = picture.corner + (position.xy - 0.5) * picture.step;
  let middle = corner + 0.5 * picture.step;
  let size = f32(picture.size);
  if (any(middle < vec2f(0.0)) || any(middle >= vec2f(size))) {
    return picture.colours[0];
  }
  if (picture.step <= 1.0) {
    return vec4f(colour_of(u32(middle.x), u32(middle.y)), 1.0);
  }
  // A cell belongs to the pixel in which its upper left corner lies. At the edge of the grid that may be none: then the
  // first one is taken.
  let first = vec2u(clamp(corner, vec2f(0.0), vec2f(size - 1.0)));
  let end = min(vec2u(max(corner + picture.step, vec2f(0.0))), vec2u(picture.size));
  let stride = max(1u, u32(ceil(picture.step / ${MAX_SAMPLES}.0)));
  var sum = vec3f(0.0);
  var count = 0.0;
  for (var y = first.y; y < max(end.y, first.y + 1u); y += stride) {
    for (var x = first.x; x < max(end.x, first.x + 1u); x += stride) {
      sum += colour_of(x, y);
      count += 1.0;
    }
  }
  return vec4f(sum / count, 1.0);
}
`;
