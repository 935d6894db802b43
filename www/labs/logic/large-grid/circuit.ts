// The circuit of a cell as a compute shader: straight-line code of operations on words of 32 cells. The circuit comes
// from the lab's export as JSON (crates/labs/logic/src/export/json.rs). crates/labs/logic/src/gpu/packed.rs writes the
// same operations natively, for circuits in which all cells update in every step.

/** A learned circuit. Wires are numbered: nine cells of the neighbourhood for each channel, then one for each gate. */
export interface Circuit {
  experiment: string;
  channels: number;
  /** The channels that are shown, which come first: one, or three for red, green and blue. */
  shown: number;
  /** Whether the edges of a grid wrap around; otherwise cells beyond them are zero. */
  periodic: boolean;
  /** The probability that a cell updates in a step. */
  fireRate: number;
  /**
   * Kind and both inputs. The four bits of a kind are the answers to (0, 0), (0, 1), (1, 0) and (1, 1), highest first.
   */
  gates: [kind: number, a: number, b: number][];
  /** The wire of each channel's next value. */
  outputs: number[];
}

/** Cells of a neighbourhood. */
const NEIGHBOURHOOD_CELLS = 9;
/** Cells in a word: one bit each. */
export const CELLS_PER_WORD = 32;
/** Words and rows that a workgroup of the step shader computes. */
export const STEP_WORKGROUP = [32, 8] as const;
/** Bits of the update probability: it is rounded to a multiple of 1/256. The lab allows none below 0.05. */
const RATE_BITS = 8;

/** Reads an exported circuit. */
export function parseCircuit(text: string): Circuit {
  const json = JSON.parse(text) as Omit<Circuit, "fireRate"> & { fire_rate: number };
  const { experiment, channels, shown, periodic, gates, outputs } = json;
  return { experiment, channels, shown, periodic, fireRate: json.fire_rate, gates, outputs };
}

/** WGSL expressions of all sixteen kinds of gates, by the number of the kind (see `Circuit.gates`). */
const GATE_EXPRESSIONS: ((a: string, b: string) => string)[] = [
  () => "0u",
  (a, b) => `${a} & ${b}`,
  (a, b) => `${a} & ~${b}`,
  (a) => a,
  (a, b) => `~${a} & ${b}`,
  (_, b) => b,
  (a, b) => `${a} ^ ${b}`,
  (a, b) => `${a} | ${b}`,
  (a, b) => `~(${a} | ${b})`,
  (a, b) => `~(${a} ^ ${b})`,
  (_, b) => `~${b}`,
  (a, b) => `${a} | ~${b}`,
  (a) => `~${a}`,
  (a, b) => `~${a} | ${b}`,
  (a, b) => `~(${a} & ${b})`,
  () => "0xffffffffu",
];

/** What all shaders of the grid share: its size, where a word lies, and a hash for random bits. */
export const COMMON_WGSL = `
struct Grid { size: u32, words: u32, step: u32, seed: u32 }
@group(0) @binding(0) var<uniform> grid: Grid;
fn place(channel: u32, at: u32, y: u32) -> u32 {
  return (channel * grid.size + y) * grid.words + at;
}
// The hash PCG, in three rounds: each takes in one more number.
fn hash(a: u32, b: u32, c: u32) -> u32 {
  var x = a;
  for (var i = 0u; i < 3u; i++) {
    x = (x ^ select(select(c, b, i == 1u), grid.seed, i == 0u)) * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
    x = (x >> 22u) ^ x;
  }
  return x;
}
`;

/** The shader of one step of a square grid whose width is a multiple of a word. Needs `COMMON_WGSL` before it. */
export function stepShader({ channels, periodic, fireRate, gates, outputs }: Circuit): string {
  const inputs = NEIGHBOURHOOD_CELLS * channels;
  // In the shader, `i5` is the word of input 5, and `g5` that of gate 5.
  const wire = (number: number) => (number < inputs ? `i${number}` : `g${number - inputs}`);
  const used = new Set([...gates.flatMap(([, a, b]) => [a, b]), ...outputs]);
  const lines: string[] = [];
  for (let channel = 0; channel < channels; channel++) {
    for (let row = 0; row < 3; row++) {
      const first = NEIGHBOURHOOD_CELLS * channel + 3 * row;
      if (![0, 1, 2].some((k) => used.has(first + k))) continue;
      // The word in the middle is read even if only its neighbours are used: they take most of their bits from it.
      const args = `${channel}u, at, y${row}, inside${row}`;
      lines.push(`let i${first + 1} = word(${args});`);
      if (used.has(first)) lines.push(`let i${first} = west(${args}, i${first + 1});`);
      if (used.has(first + 2)) lines.push(`let i${first + 2} = east(${args}, i${first + 1});`);
    }
  }
  gates.forEach(([kind, a, b], i) => {
    const expression = GATE_EXPRESSIONS[kind] as (typeof GATE_EXPRESSIONS)[number];
    lines.push(`let g${i} = ${expression(wire(a), wire(b))};`);
  });
  const rate = Math.round(fireRate * 2 ** RATE_BITS);
  const allCellsUpdate = rate >= 2 ** RATE_BITS;
  if (!allCellsUpdate) lines.push(...awakeLines(rate));
  outputs.forEach((number, channel) => {
    const target = `place(${channel}u, at, id.y)`;
    lines.push(
      allCellsUpdate
        ? `after[${target}] = ${wire(number)};`
        : `after[${target}] = (${wire(number)} & awake) | (before[${target}] & ~awake);`,
    );
  });
  return `${COMMON_WGSL}
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read_write> after: array<u32>;
const PERIODIC = ${periodic};
fn word(channel: u32, at: u32, y: u32, inside: bool) -> u32 {
  return select(0u, before[place(channel, at, y)], inside);
}
// The neighbours to the left and to the right of the cells of a word.
fn west(channel: u32, at: u32, y: u32, inside: bool, own: u32) -> u32 {
  let beside = word(channel, select(at - 1u, grid.words - 1u, at == 0u), y, inside && (PERIODIC || at > 0u));
  return (own << 1u) | (beside >> 31u);
}
fn east(channel: u32, at: u32, y: u32, inside: bool, own: u32) -> u32 {
  let last = at + 1u == grid.words;
  let beside = word(channel, select(at + 1u, 0u, last), y, inside && (PERIODIC || !last));
  return (own >> 1u) | (beside << 31u);
}
@compute @workgroup_size(${STEP_WORKGROUP[0]}, ${STEP_WORKGROUP[1]})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= grid.words || id.y >= grid.size) {
    return;
  }
  let at = id.x;
  let y0 = select(id.y - 1u, grid.size - 1u, id.y == 0u);
  let y1 = id.y;
  let y2 = select(id.y + 1u, 0u, id.y + 1u == grid.size);
  let inside0 = PERIODIC || id.y > 0u;
  let inside1 = true;
  let inside2 = PERIODIC || id.y + 1u < grid.size;
  ${lines.join("\n  ")}
}
`;
}

/**
 * Lines that set each bit of `awake` with a probability of `rate`/256. If a bit is set with probability p, "and" with a
 * random bit makes it p / 2, and "or" 1/2 + p / 2. So the binary digits of the rate, from the lowest to the highest,
 * lead to it.
 */
function awakeLines(rate: number): string[] {
  const lines = ["var awake = 0u;"];
  for (let bit = 0; bit < RATE_BITS; bit++) {
    const operation = (rate >> bit) & 1 ? "|" : "&";
    lines.push(`awake = awake ${operation} hash(id.y * grid.words + at, grid.step, ${bit + 1}u);`);
  }
  return lines;
}
