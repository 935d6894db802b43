// Compiles generated kernels in the background. WebGPU makes a pipeline by `createComputePipeline` or by
// `createComputePipelineAsync`. wgpu calls the former, with which a browser's GPU process, and so the picture of every
// page, may wait for the compiler of the driver. That is short for our own kernels, but may be long for the rules of a
// world that somebody has written.
//
// So where wgpu asks for a pipeline whose label begins with "generated " (crates/gpu/src/kernel.rs), it gets an object
// that stands for the pipeline, which is made in the background. wgpu only passes it on to `setPipeline`.

const GENERATED_LABEL = "generated ";

/** How many pipelines are being made. */
let compiling = 0;

/** A pipeline that is made in the background. */
class BackgroundPipeline {
  /** `make` makes the pipeline and waits for it, `makeAsync` does so in the background. */
  constructor(make, makeAsync) {
    this.make = make;
    compiling++;
    makeAsync()
      // A pipeline that could not be made is made once more, because then the device reports the error.
      .then(
        (pipeline) => (this.pipeline = pipeline),
        () => this.now(),
      )
      .finally(() => {
        compiling--;
        globalThis.learneryWake?.();
      });
  }

  /** The pipeline. If it is not ready, this waits for it. */
  now() {
    return (this.pipeline ??= this.make());
  }
}

/** Lets pipelines with generated kernels be made in the background from now on. */
export function compileInBackground() {
  const { GPUDevice, GPUComputePassEncoder } = globalThis;
  if (!GPUDevice) return; // there is no WebGPU, which opening the GPU will say
  const { createComputePipeline } = GPUDevice.prototype;
  GPUDevice.prototype.createComputePipeline = function (descriptor) {
    const make = () => createComputePipeline.call(this, descriptor);
    if (!descriptor.label?.startsWith(GENERATED_LABEL)) return make();
    return new BackgroundPipeline(make, () => this.createComputePipelineAsync(descriptor));
  };
  const { setPipeline } = GPUComputePassEncoder.prototype;
  GPUComputePassEncoder.prototype.setPipeline = function (pipeline) {
    setPipeline.call(this, pipeline instanceof BackgroundPipeline ? pipeline.now() : pipeline);
  };
}

/** Whether a pipeline is being made in the background. */
export const isCompiling = () => compiling > 0;
