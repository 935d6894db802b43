// A large grid on the page's own WebGPU device. The render pipeline reads the cells where the step shader writes them, so
// no cell is copied to the processor.

import type { Camera } from "./camera";
import { COMMON, GROUP, stepShader, WORD, type Circuit } from "./circuit";
import { PICTURE, PICTURE_BYTES, pictureValues, type Colours } from "./picture";
import { presenter, type Presenter } from "./presenter";

/** Workgroups of the shaders that fill and erase have this many invocations. */
const LINE = 64;
/** The most workgroups in one dimension of a dispatch that every device allows. */
const MAX_GROUPS = 65535;

// Flags of WebGPU, whose names TypeScript's library does not declare.
const [MAP_READ, COPY_SRC, COPY_DST, UNIFORM, STORAGE] = [1, 4, 8, 64, 128];
const [FRAGMENT, COMPUTE] = [2, 4];

/** What a grid begins with. */
export type Start = "random" | "one" | "empty";

/** Sets every word of all channels: at random, to one cell in the middle, or to zero. */
const FILL = `${COMMON}
struct Fill { start: u32, channels: u32, groups: u32, unused: u32 }
@group(0) @binding(1) var<uniform> fill: Fill;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(${LINE})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  let i = (group.y * fill.groups + group.x) * ${LINE}u + index;
  if (i >= fill.channels * grid.size * grid.words) {
    return;
  }
  let half = grid.size / 2u;
  let middle = i % (grid.size * grid.words) == half * grid.words + half / 32u;
  let one = select(0u, 1u << (half % 32u), middle);
  cells[i] = select(select(0u, one, fill.start == 1u), mix(i, 0u, 0u), fill.start == 0u);
}
`;

/** Sets all channels within a disc to zero: one invocation for each word of each row that it crosses. */
const ERASE = `${COMMON}
struct Disc { x: f32, y: f32, radius: f32, channels: u32 }
@group(0) @binding(1) var<uniform> disc: Disc;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(${LINE})
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

/** Opens the device of this browser, with all the memory that a grid may take. Throws a sentence for visitors. */
export async function openDevice(): Promise<{ device: GPUDevice; software: boolean }> {
  const gpu = (navigator as Partial<Navigator>).gpu;
  if (!gpu) throw new Error("This browser has no WebGPU, which computes the large grid on the graphics processor.");
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (!adapter) throw new Error("This browser offers no graphics processor, which computes the large grid.");
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const device = await adapter.requestDevice({ requiredLimits: { maxStorageBufferBindingSize, maxBufferSize } });
  const { vendor, architecture, description } = adapter.info;
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
  #step: GPUComputePipeline;
  #fill: GPUComputePipeline;
  #erase: GPUComputePipeline;
  #picture: GPURenderPipeline;
  /** The present cells, and those that the next step writes, in turn. */
  #cells: [GPUBuffer, GPUBuffer] | null = null;
  #present: 0 | 1 = 0;
  #seed = 1;
  #busy = 0;

  constructor(
    readonly device: GPUDevice,
    canvas: HTMLCanvasElement,
    circuit: Circuit,
    software: boolean,
  ) {
    this.circuit = circuit;
    this.#presenter = presenter(device, canvas, software);
    this.#step = this.#stepPipeline(circuit);
    this.#fill = this.#compute(FILL, "uniform");
    this.#erase = this.#compute(ERASE, "uniform");
    const module = device.createShaderModule({ code: PICTURE });
    this.#picture = device.createRenderPipeline({
      layout: this.#layout(["uniform", "read-only-storage"], FRAGMENT),
      vertex: { module },
      fragment: { module, targets: [{ format: this.#presenter.format }] },
    });
  }

  /** Whether the device is still at work on earlier frames. */
  get busy(): boolean {
    return this.#busy > 1;
  }

  /** Whether a grid of this size fits into the device's memory. */
  fits(size: number): boolean {
    return this.#bytes(size) <= this.device.limits.maxStorageBufferBindingSize;
  }

  /** Goes on with another circuit of as many channels. */
  setCircuit(circuit: Circuit): void {
    this.circuit = circuit;
    this.#step = this.#stepPipeline(circuit);
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
    [this.steps, this.#seed, this.#present] = [0, seed, 0];
    const groups = Math.ceil(this.#bytes(size) / 4 / LINE);
    const rows = Math.ceil(groups / MAX_GROUPS);
    const columns = Math.ceil(groups / rows);
    const kind = ["random", "one", "empty"].indexOf(start);
    const numbers = new Uint32Array([kind, this.circuit.channels, columns, 0]);
    this.#run(this.#fill, numbers, [columns, rows]);
  }

  /** Computes so many steps. */
  step(steps: number): void {
    if (!this.#cells) return;
    const encoder = this.device.createCommandEncoder();
    const groups = [Math.ceil(this.size / WORD / GROUP[0]), Math.ceil(this.size / GROUP[1])] as const;
    for (let i = 0; i < steps; i++) {
      const [before, after] = [this.#cells[this.#present], this.#cells[1 - this.#present] as GPUBuffer];
      const pass = encoder.beginComputePass();
      pass.setPipeline(this.#step);
      pass.setBindGroup(0, this.#bind(this.#step, [this.#grid(), before, after]));
      pass.dispatchWorkgroups(...groups);
      pass.end();
      this.#present = this.#present ? 0 : 1;
      this.steps++;
    }
    this.#submit(encoder);
  }

  /** Erases the cells within a disc. */
  erase(x: number, y: number, radius: number): void {
    const numbers = new Float32Array([x, y, radius, 0]);
    new Uint32Array(numbers.buffer)[3] = this.circuit.channels;
    this.#run(this.#erase, numbers, [Math.ceil(this.size / WORD / LINE), Math.ceil(2 * radius) + 2]);
  }

  /**
   * Draws what the camera shows, and returns whether it could; the last picture may be on its way. `scale` is the bitmap
   * pixels of a CSS pixel.
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
    pass.setPipeline(this.#picture);
    pass.setBindGroup(0, this.#bind(this.#picture, [this.#uniform(values, PICTURE_BYTES), this.#cells[this.#present]]));
    pass.draw(3);
    pass.end();
    this.#presenter.show(encoder);
    this.#count();
    return true;
  }

  /** The words of all channels, row by row. Only tests read them. */
  async read(): Promise<Uint32Array> {
    if (!this.#cells) return new Uint32Array();
    const size = this.#bytes(this.size);
    const staging = this.device.createBuffer({ size, usage: MAP_READ | COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#cells[this.#present], 0, staging, 0, size);
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

  #bytes(size: number): number {
    return 4 * this.circuit.channels * size * (size / WORD);
  }

  #free(): void {
    this.#cells?.forEach((buffer) => buffer.destroy());
    this.#cells = null;
  }

  #stepPipeline(circuit: Circuit): GPUComputePipeline {
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
    const buffers = [this.#grid(), this.#uniform(numbers, numbers.byteLength), this.#cells[this.#present]];
    pass.setBindGroup(0, this.#bind(pipeline, buffers));
    pass.dispatchWorkgroups(...groups);
    pass.end();
    this.#submit(encoder);
  }

  /** The size of the grid, the number of the step and the seed. */
  #grid(): GPUBuffer {
    return this.#uniform(new Uint32Array([this.size, this.size / WORD, this.steps, this.#seed]), 16);
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
    this.#count();
  }

  /** Counts a submission until the device has finished it. */
  #count(): void {
    this.#busy++;
    void this.device.queue.onSubmittedWorkDone().finally(() => this.#busy--);
  }
}
