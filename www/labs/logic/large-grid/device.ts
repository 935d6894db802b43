// A large grid on the page's own WebGPU device. The render pipeline reads the cells where the step shader writes them,
// so no cell is copied to the processor.

import type { Camera } from "./camera";
import { CELLS_PER_WORD, COMMON_WGSL, STEP_WORKGROUP, stepShader, type Circuit } from "./circuit";
import { PICTURE_WGSL, pictureValues, UNIFORM_BYTES, type Colours } from "./picture";
import { createPresenter, type Presenter } from "./presenter";

/** Cells are stored as bits of words of 32 bits. */
const BYTES_PER_WORD = 4;
/** Invocations in a workgroup of the shaders that fill and erase. */
const CLEAR_WORKGROUP_SIZE = 64;
/** The most workgroups in one dimension of a dispatch that every device allows. */
const MAX_WORKGROUPS = 65535;

// Flags of WebGPU, whose names TypeScript's library does not declare.
const [MAP_READ, COPY_SRC, COPY_DST, UNIFORM, STORAGE] = [1, 4, 8, 64, 128];
const [FRAGMENT, COMPUTE] = [2, 4];

/** What a grid begins with. */
export type Start = "random" | "one" | "empty";

/** Sets every word of all channels: at random, to one cell in the middle, or to zero. */
const FILL_WGSL = `${COMMON_WGSL}
struct Fill { start: u32, channels: u32, groups: u32, unused: u32 }
@group(0) @binding(1) var<uniform> fill: Fill;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(${CLEAR_WORKGROUP_SIZE})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  let i = (group.y * fill.groups + group.x) * ${CLEAR_WORKGROUP_SIZE}u + index;
  if (i >= fill.channels * grid.size * grid.words) {
    return;
  }
  let half = grid.size / 2u;
  let middle = i % (grid.size * grid.words) == half * grid.words + half / 32u;
  let one = select(0u, 1u << (half % 32u), middle);
  cells[i] = select(select(0u, one, fill.start == 1u), hash(i, 0u, 0u), fill.start == 0u);
}
`;

/** Sets all channels within a disc to zero: one invocation for each word of the rows that the disc touches. */
const ERASE_WGSL = `${COMMON_WGSL}
struct Disc { x: f32, y: f32, radius: f32, channels: u32 }
@group(0) @binding(1) var<uniform> disc: Disc;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(${CLEAR_WORKGROUP_SIZE})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = floor(disc.y - disc.radius) + f32(id.y);
  if (row < 0.0 || row >= f32(grid.size) || id.x >= grid.words) {
    return;
  }
  let down = row + 0.5 - disc.y;
  let square = disc.radius * disc.radius - down * down;
  if (square < 0.0) {
    return;
  }
  let half = sqrt(square);
  var mask = 0u;
  for (var bit = 0u; bit < 32u; bit++) {
    let across = f32(id.x * 32u + bit) + 0.5 - disc.x;
    mask |= select(0u, 1u << bit, abs(across) <= half);
  }
  for (var channel = 0u; channel < disc.channels; channel++) {
    cells[place(channel, id.x, u32(row))] &= ~mask;
  }
}
`;

/** Opens the device of this browser, with the adapter's largest limits for buffers. Throws a sentence for visitors. */
export async function openDevice(): Promise<{ device: GPUDevice; software: boolean }> {
  const gpu = (navigator as Partial<Navigator>).gpu;
  if (!gpu) throw new Error("This browser has no WebGPU, which computes the large grid on the graphics processor.");
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (!adapter)
    throw new Error("The large grid needs a graphics processor (WebGPU), which this browser does not offer.");
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const limits = { maxStorageBufferBindingSize, maxBufferSize };
  const device = await adapter.requestDevice({ requiredLimits: limits }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The graphics processor, which computes the large grid, cannot be opened: ${reason}`);
  });
  const { vendor = "", architecture = "", description = "" } = (adapter as Partial<GPUAdapter>).info ?? {};
  const software = /swiftshader|llvmpipe|basic render/i.test(`${vendor} ${architecture} ${description}`);
  return { device, software };
}

export class GridDevice {
  /** Steps since the start. */
  steps = 0;
  /** Cells in a row and in a column. */
  size = 0;
  circuit: Circuit;
  #presenter: Presenter;
  #stepPipeline: GPUComputePipeline;
  #fillPipeline: GPUComputePipeline;
  #erasePipeline: GPUComputePipeline;
  #picturePipeline: GPURenderPipeline;
  /** A double buffer: the current cells, and those that the next step writes. */
  #cells: [GPUBuffer, GPUBuffer] | null = null;
  /** The index of the buffer with the current cells. */
  #current: 0 | 1 = 0;
  #seed = 1;
  /** The number of submissions that the device has not finished. */
  #unfinished = 0;

  constructor(
    readonly device: GPUDevice,
    canvas: HTMLCanvasElement,
    circuit: Circuit,
    software: boolean,
  ) {
    this.circuit = circuit;
    this.#presenter = createPresenter(device, canvas, software);
    this.#stepPipeline = this.#compileStep(circuit);
    this.#fillPipeline = this.#compute(FILL_WGSL, "uniform");
    this.#erasePipeline = this.#compute(ERASE_WGSL, "uniform");
    const module = device.createShaderModule({ code: PICTURE_WGSL });
    this.#picturePipeline = device.createRenderPipeline({
      layout: this.#layout(["uniform", "read-only-storage"], FRAGMENT),
      vertex: { module },
      fragment: { module, targets: [{ format: this.#presenter.format }] },
    });
  }

  /** Whether more than one submission is unfinished. A step is one, and a picture is one. */
  get busy(): boolean {
    return this.#unfinished > 1;
  }

  /** Whether the device allows buffers of this size. */
  fits(size: number): boolean {
    const { maxStorageBufferBindingSize, maxBufferSize } = this.device.limits;
    return this.#bytes(size) <= Math.min(maxStorageBufferBindingSize, maxBufferSize);
  }

  /** Goes on with another circuit of as many channels. */
  setCircuit(circuit: Circuit): void {
    this.circuit = circuit;
    this.#stepPipeline = this.#compileStep(circuit);
  }

  /** Begins again on a grid of this size. */
  restart(size: number, start: Start, seed: number): void {
    if (size !== this.size || !this.#cells) {
      this.#free();
      const usage = STORAGE | COPY_SRC;
      const buffer = () => this.device.createBuffer({ size: this.#bytes(size), usage });
      this.#cells = [buffer(), buffer()];
      this.size = size;
    }
    [this.steps, this.#seed, this.#current] = [0, seed, 0];
    // One dimension of a dispatch may be too short for all workgroups, so they are laid out in rows.
    const groups = Math.ceil(this.#bytes(size) / BYTES_PER_WORD / CLEAR_WORKGROUP_SIZE);
    const rows = Math.ceil(groups / MAX_WORKGROUPS);
    const columns = Math.ceil(groups / rows);
    const startCode = ["random", "one", "empty"].indexOf(start); // as the shader numbers them
    const numbers = new Uint32Array([startCode, this.circuit.channels, columns, 0]);
    this.#run(this.#fillPipeline, numbers, [columns, rows]);
  }

  /** Computes this many steps. */
  step(steps: number): void {
    if (!this.#cells) return;
    const encoder = this.device.createCommandEncoder();
    const groups = [
      Math.ceil(this.size / CELLS_PER_WORD / STEP_WORKGROUP[0]),
      Math.ceil(this.size / STEP_WORKGROUP[1]),
    ] as const;
    for (let i = 0; i < steps; i++) {
      const [before, after] = [this.#cells[this.#current], this.#cells[1 - this.#current] as GPUBuffer];
      const pass = encoder.beginComputePass();
      pass.setPipeline(this.#stepPipeline);
      pass.setBindGroup(0, this.#bind(this.#stepPipeline, [this.#gridUniform(), before, after]));
      pass.dispatchWorkgroups(...groups);
      pass.end();
      this.#current = this.#current ? 0 : 1;
      this.steps++;
    }
    this.#submit(encoder);
  }

  /** Erases the cells within a disc. */
  erase(x: number, y: number, radius: number): void {
    // The struct `Disc` of the shader: three floats, then an integer in the place of the fourth.
    const numbers = new Float32Array([x, y, radius, 0]);
    new Uint32Array(numbers.buffer)[3] = this.circuit.channels;
    this.#run(this.#erasePipeline, numbers, [
      Math.ceil(this.size / CELLS_PER_WORD / CLEAR_WORKGROUP_SIZE),
      Math.ceil(2 * radius) + 2, // the most rows that a disc between two rows touches
    ]);
  }

  /**
   * Draws what the camera shows. Returns false, without drawing, while the last picture is still being copied to the
   * canvas. `scale` is the bitmap pixels of a CSS pixel.
   */
  draw(camera: Camera, colours: Colours, scale: number): boolean {
    const texture = this.#presenter.texture();
    if (!this.#cells || !texture) return false;
    const values = pictureValues({
      camera,
      colours,
      scale,
      picture: [texture.width, texture.height],
      size: this.size,
      shown: this.circuit.shown,
    });
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
    });
    pass.setPipeline(this.#picturePipeline);
    pass.setBindGroup(
      0,
      this.#bind(this.#picturePipeline, [this.#uniform(values, UNIFORM_BYTES), this.#cells[this.#current]]),
    );
    pass.draw(3); // one triangle that covers the whole picture
    pass.end();
    this.#presenter.show(encoder);
    this.#trackSubmission();
    return true;
  }

  /** The words of all channels, row by row. Only tests read them. */
  async read(): Promise<Uint32Array> {
    if (!this.#cells) return new Uint32Array();
    const size = this.#bytes(this.size);
    const staging = this.device.createBuffer({ size, usage: MAP_READ | COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#cells[this.#current], 0, staging, 0, size);
    this.#submit(encoder);
    await staging.mapAsync(MAP_READ);
    const words = new Uint32Array(staging.getMappedRange().slice(0));
    staging.destroy();
    return words;
  }

  destroy(): void {
    this.#free();
    this.#presenter.destroy();
    this.device.destroy();
  }

  /** The bytes of a buffer with the cells of a grid: a bit for each channel of each cell. */
  #bytes(size: number): number {
    return BYTES_PER_WORD * this.circuit.channels * size * (size / CELLS_PER_WORD);
  }

  #free(): void {
    this.#cells?.forEach((buffer) => buffer.destroy());
    this.#cells = null;
  }

  #compileStep(circuit: Circuit): GPUComputePipeline {
    return this.#compute(stepShader(circuit), "read-only-storage");
  }

  /** A shader that reads the grid's numbers and one more buffer, and writes cells. */
  #compute(code: string, second: GPUBufferBindingType): GPUComputePipeline {
    const module = this.device.createShaderModule({ code });
    const layout = this.#layout(["uniform", second, "storage"], COMPUTE);
    return this.device.createComputePipeline({ layout, compute: { module } });
  }

  #layout(types: GPUBufferBindingType[], visibility: GPUShaderStageFlags): GPUPipelineLayout {
    const entries = types.map((type, binding) => ({ binding, visibility, buffer: { type } }));
    return this.device.createPipelineLayout({ bindGroupLayouts: [this.device.createBindGroupLayout({ entries })] });
  }

  /** Runs a shader on the present cells. */
  #run(pipeline: GPUComputePipeline, numbers: Uint32Array | Float32Array, groups: [number, number]): void {
    if (!this.#cells) return;
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    const buffers = [this.#gridUniform(), this.#uniform(numbers, numbers.byteLength), this.#cells[this.#current]];
    pass.setBindGroup(0, this.#bind(pipeline, buffers));
    pass.dispatchWorkgroups(...groups);
    pass.end();
    this.#submit(encoder);
  }

  /** The size of the grid in cells and in words of a row, the number of the step and the seed. */
  #gridUniform(): GPUBuffer {
    const numbers = new Uint32Array([this.size, this.size / CELLS_PER_WORD, this.steps, this.#seed]);
    return this.#uniform(numbers, numbers.byteLength);
  }

  #uniform(values: Uint32Array | Float32Array, size: number): GPUBuffer {
    const buffer = this.device.createBuffer({ size, usage: UNIFORM, mappedAtCreation: true });
    new Uint32Array(buffer.getMappedRange()).set(new Uint32Array(values.buffer));
    buffer.unmap();
    return buffer;
  }

  #bind(pipeline: GPUComputePipeline | GPURenderPipeline, buffers: GPUBuffer[]): GPUBindGroup {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    return this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  }

  #submit(encoder: GPUCommandEncoder): void {
    this.device.queue.submit([encoder.finish()]);
    this.#trackSubmission();
  }

  /** Counts a submission until the device has finished it. */
  #trackSubmission(): void {
    this.#unfinished++;
    void this.device.queue.onSubmittedWorkDone().finally(() => this.#unfinished--);
  }
}
