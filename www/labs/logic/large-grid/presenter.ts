// How the picture of a large grid reaches its canvas. On hardware the device draws on the canvas itself. On software
// adapters the picture's pixels, not the cells, are copied to a 2D canvas: Chromium's software adapter loses the device
// when one of its textures is to be shown, and everything is in the processor's memory anyway.

// Flags of WebGPU, whose names TypeScript's library does not declare: those of buffers, and those of textures.
const [MAP_READ, COPY_DST] = [1, 8];
const [TEXTURE_COPY_SRC, RENDER_ATTACHMENT] = [1, 16];
/** WebGPU copies the rows of a texture to multiples of this many bytes. */
const ROW_ALIGNMENT = 256;
/** Red, green, blue and opacity. */
const BYTES_PER_PIXEL = 4;

export interface Presenter {
  readonly format: GPUTextureFormat;
  /** The texture to draw into; `null` while the last picture is on its way. */
  texture(): GPUTexture | null;
  /** Submits `encoder`, in which the texture is drawn, and shows it. */
  show(encoder: GPUCommandEncoder): void;
  destroy(): void;
}

/** The way in which pictures reach the canvas on this adapter. */
export function createPresenter(device: GPUDevice, canvas: HTMLCanvasElement, software: boolean): Presenter {
  return software ? new CopiedPicture(device, canvas) : new DirectPicture(device, canvas);
}

/** Draws on the canvas itself. */
class DirectPicture implements Presenter {
  readonly format = navigator.gpu.getPreferredCanvasFormat();
  #context: GPUCanvasContext;

  constructor(
    readonly device: GPUDevice,
    canvas: HTMLCanvasElement,
  ) {
    this.#context = canvas.getContext("webgpu") as GPUCanvasContext;
    this.#context.configure({ device, format: this.format, alphaMode: "opaque" });
  }

  texture(): GPUTexture {
    return this.#context.getCurrentTexture();
  }

  show(encoder: GPUCommandEncoder): void {
    this.device.queue.submit([encoder.finish()]);
  }

  destroy(): void {
    this.#context.unconfigure();
  }
}

/** Copies each picture to a 2D canvas. */
class CopiedPicture implements Presenter {
  readonly format = "rgba8unorm";
  #context: CanvasRenderingContext2D;
  #texture: GPUTexture | null = null;
  #copying = false;

  constructor(
    readonly device: GPUDevice,
    readonly canvas: HTMLCanvasElement,
  ) {
    this.#context = canvas.getContext("2d") as CanvasRenderingContext2D;
  }

  texture(): GPUTexture | null {
    if (this.#copying) return null;
    const { width, height } = this.canvas;
    if (this.#texture?.width !== width || this.#texture.height !== height) {
      this.#texture?.destroy();
      const usage = RENDER_ATTACHMENT | TEXTURE_COPY_SRC;
      this.#texture = this.device.createTexture({ size: [width, height], format: this.format, usage });
    }
    return this.#texture;
  }

  show(encoder: GPUCommandEncoder): void {
    const texture = this.#texture as GPUTexture;
    const { width, height } = texture;
    const bytesPerRow = Math.ceil((BYTES_PER_PIXEL * width) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    const buffer = this.device.createBuffer({ size: bytesPerRow * height, usage: MAP_READ | COPY_DST });
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, [width, height]);
    this.device.queue.submit([encoder.finish()]);
    this.#copying = true;
    const rowBytes = BYTES_PER_PIXEL * width;
    const putOnCanvas = () => {
      const bytes = new Uint8Array(buffer.getMappedRange());
      const image = this.#context.createImageData(width, height);
      for (let y = 0; y < height; y++) {
        image.data.set(bytes.subarray(y * bytesPerRow, y * bytesPerRow + rowBytes), y * rowBytes);
      }
      this.#context.putImageData(image, 0, 0);
    };
    // A device that is lost meanwhile is reported by `lost`.
    buffer
      .mapAsync(MAP_READ)
      .then(putOnCanvas, () => undefined)
      .finally(() => {
        buffer.destroy();
        this.#copying = false;
      });
  }

  destroy(): void {
    this.#texture?.destroy();
  }
}
