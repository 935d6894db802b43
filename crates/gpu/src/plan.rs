//! A plan is a list of dispatches (launches of kernels) over buffers that are allocated once. The shapes of a
//! run are fixed by its settings, so a plan is made at the start and then submitted again and again: nothing
//! is allocated, compiled or bound while a run learns.
//!
//! A plan is submitted in slices, because one long submission would block the device for other programs, such
//! as the display, and drivers end submissions that take seconds. Slicing does not change results: dispatches
//! run in order, and each sees what the ones before it wrote.

use std::ops::Range;
use std::sync::Arc;
#[cfg(not(target_family = "wasm"))]
use std::sync::atomic::{AtomicUsize, Ordering};

use learnery_nn::Precision;

use crate::GpuError;
use crate::Sources;
use crate::buffer::{Buffer, ReadBack};
use crate::device::Gpu;
use crate::kernel::{Checks, Kernel};
use crate::shader::{self, Access, Constant};

/// Bytes from the parameters of one dispatch to the parameters of the next. A dispatch may have no more. It
/// is WebGPU's default `minUniformBufferOffsetAlignment`.
const PARAMETER_STRIDE: usize = 256;

/// The most workgroups in one dimension of a dispatch: WebGPU's default `maxComputeWorkgroupsPerDimension`.
const MAX_WORKGROUPS: u32 = 65_535;

/// A scalar parameter of a kernel, of 32 bits.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    Integer(u32),
    Float(f32),
}

impl From<usize> for Word {
    fn from(value: usize) -> Self {
        Self::Integer(u32::try_from(value).expect("buffers have fewer than 2^32 elements"))
    }
}

impl From<f32> for Word {
    fn from(value: f32) -> Self {
        Self::Float(value)
    }
}

/// One launch of a kernel.
#[derive(Debug)]
struct Dispatch {
    kernel: Arc<Kernel>,
    group: wgpu::BindGroup,
    /// Keeps the memory of these buffers from being used for others.
    _buffers: Vec<Buffer>,
    workgroups: [u32; 3],
    /// A rough estimate of the time: floating-point operations, or bytes moved where those are more.
    cost: f64,
}

impl Dispatch {
    fn encode(&self, device: &wgpu::Device, pass: &mut wgpu::ComputePass) {
        pass.set_pipeline(&self.kernel.compiled(device).pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        let [x, y, z] = self.workgroups;
        pass.dispatch_workgroups(x, y, z);
    }
}

/// What the `advance` of a trainer or a generator did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing, because the device is busy.
    Waiting,
    /// A part of the work was submitted, not the last one.
    Submitted,
    /// The last part of the work was submitted.
    Finished,
}

/// The time of one kernel within a plan, see [`Plan::profile`].
#[derive(Clone, Debug, PartialEq)]
pub struct KernelTime {
    pub name: &'static str,
    /// How many times the plan launches the kernel.
    pub launches: usize,
    /// The sum over these launches.
    pub seconds: f64,
    /// Floating-point operations; zero for kernels that mostly move memory.
    pub operations: f64,
}

/// Builder of a [`Plan`].
#[derive(Debug)]
pub struct PlanBuilder {
    gpu: Gpu,
    sources: Sources,
    precision: Precision,
    steps: Vec<Step>,
}

/// A dispatch before its parameters have a place.
#[derive(Debug)]
struct Step {
    kernel: Arc<Kernel>,
    parameters: Vec<Word>,
    buffers: Vec<Buffer>,
    workgroups: [u32; 3],
    cost: f64,
}

impl PlanBuilder {
    /// A plan of the kernels of this crate.
    pub fn new(gpu: &Gpu) -> Self {
        Self::with_sources(gpu, shader::SOURCES)
    }

    /// A plan of kernels of another crate or module too.
    pub fn with_sources(gpu: &Gpu, sources: Sources) -> Self {
        Self { gpu: gpu.clone(), sources, precision: Precision::F32, steps: Vec::new() }
    }

    /// The precision of the matrix products that are appended from now on. For f16 the device needs 16-bit
    /// floats, see [`Gpu::check_precision`].
    pub fn set_precision(&mut self, precision: Precision) {
        self.precision = precision;
    }

    pub fn precision(&self) -> Precision {
        self.precision
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Appends a launch of kernel `name` with these constants. `buffers` are its bindings after the
    /// parameters, in the order of their numbers. `cost` is a rough estimate of its time, by which the plan
    /// is cut into submissions: its floating-point operations, or the bytes that it moves if those are more.
    ///
    /// # Panics
    /// If the kernel declares a different number of bindings. A dispatch without workgroups is left out.
    pub fn dispatch(
        &mut self,
        name: &'static str,
        constants: &[Constant],
        parameters: &[Word],
        buffers: &[&Buffer],
        workgroups: [usize; 3],
        cost: f64,
    ) {
        let kernel = self.kernel(name, constants);
        self.dispatch_kernel(kernel, parameters, buffers, workgroups, cost);
    }

    /// The kernel `name` with these constants, for [`Self::dispatch_kernel`].
    pub fn kernel(&self, name: &'static str, constants: &[Constant]) -> Arc<Kernel> {
        self.gpu.kernel(&self.sources, name, constants, Checks::Full)
    }

    /// Appends a launch of this kernel, see [`Self::dispatch`].
    pub fn dispatch_kernel(
        &mut self,
        kernel: Arc<Kernel>,
        parameters: &[Word],
        buffers: &[&Buffer],
        workgroups: [usize; 3],
        cost: f64,
    ) {
        if workgroups.contains(&0) {
            return;
        }
        let name = kernel.name;
        assert!(4 * parameters.len() <= PARAMETER_STRIDE, "kernel `{name}` has too many parameters");
        let storage = kernel.bindings.iter().filter(|(_, access)| *access != Access::Uniform).count();
        assert_eq!(storage, buffers.len(), "kernel `{name}` has another number of buffers");
        let workgroups = workgroups.map(|n| u32::try_from(n).expect("fewer than 2^32 workgroups"));
        assert!(workgroups.iter().all(|n| *n <= MAX_WORKGROUPS), "kernel `{name}` has too many workgroups");
        let buffers = buffers.iter().map(|buffer| (*buffer).clone()).collect();
        self.steps.push(Step { kernel, parameters: parameters.to_vec(), buffers, workgroups, cost });
    }

    /// Appends a launch with one invocation per element, in workgroups of `threads` invocations, which must
    /// be the size that the kernel declares. The kernel computes its element as
    /// `id.x + id.y * num_workgroups.x * threads`.
    pub fn dispatch_elements(
        &mut self,
        name: &'static str,
        constants: &[Constant],
        parameters: &[Word],
        buffers: &[&Buffer],
        elements: usize,
        threads: usize,
    ) {
        let groups = elements.div_ceil(threads);
        let rows = groups.div_ceil(MAX_WORKGROUPS as usize).max(1);
        let bytes = 4.0 * elements as f64 * buffers.len() as f64;
        self.dispatch(name, constants, parameters, buffers, [groups.div_ceil(rows), rows, 1], bytes);
    }

    /// Compiles the kernels that are not compiled yet, on as many threads as there are processors. Drivers
    /// take a tenth of a second or more for one. Software adapters compile one after the other, because they
    /// need the processors themselves.
    #[cfg(not(target_family = "wasm"))]
    fn compile(&self) {
        let mut kernels: Vec<&Kernel> = self.steps.iter().map(|step| &*step.kernel).collect();
        kernels.sort_by_key(|kernel| std::ptr::from_ref(*kernel));
        kernels.dedup_by_key(|kernel| std::ptr::from_ref(*kernel));
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = if self.gpu.info().software { 1 } else { processors.min(kernels.len()) };
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(kernel) = kernels.get(next.fetch_add(1, Ordering::Relaxed)) {
                kernel.compiled(self.gpu.device());
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
    }

    /// Compiles the kernels, uploads the parameters and creates the bind groups.
    pub fn build(self) -> Result<Plan, GpuError> {
        #[cfg(not(target_family = "wasm"))]
        self.compile();
        // A plan without steps has a buffer too, because WebGPU has no empty bindings.
        let mut bytes = vec![0; PARAMETER_STRIDE * self.steps.len().max(1)];
        for (step, bytes_of_step) in self.steps.iter().zip(bytes.chunks_exact_mut(PARAMETER_STRIDE)) {
            for (word, bytes_of_word) in step.parameters.iter().zip(bytes_of_step.chunks_exact_mut(4)) {
                let bits = match word {
                    Word::Integer(value) => *value,
                    Word::Float(value) => value.to_bits(),
                };
                bytes_of_word.copy_from_slice(&bits.to_le_bytes());
            }
        }
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = self.gpu.raw_buffer(bytes.len() as u64, usage);
        self.gpu.write_raw(&uniforms, &bytes);
        let dispatches = self.steps.into_iter().enumerate().map(|(i, step)| {
            let mut buffers = step.buffers.iter();
            let entries: Vec<_> = step
                .kernel
                .bindings
                .iter()
                .map(|(binding, access)| {
                    let resource = if *access == Access::Uniform {
                        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                            buffer: &uniforms,
                            offset: i as u64 * PARAMETER_STRIDE as u64,
                            size: std::num::NonZeroU64::new(PARAMETER_STRIDE as u64),
                        })
                    } else {
                        buffers.next().expect("as many buffers as bindings").raw().as_entire_binding()
                    };
                    wgpu::BindGroupEntry { binding: *binding, resource }
                })
                .collect();
            let group = self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(step.kernel.name),
                layout: &step.kernel.compiled(self.gpu.device()).layout,
                entries: &entries,
            });
            let Step { kernel, buffers, workgroups, cost, .. } = step;
            Dispatch { kernel, group, _buffers: buffers, workgroups, cost }
        });
        let dispatches = dispatches.collect();
        match self.gpu.failure() {
            Some(failure) => Err(failure),
            None => Ok(Plan { gpu: self.gpu, dispatches }),
        }
    }
}

/// A list of dispatches that can be submitted again and again.
#[derive(Debug)]
pub struct Plan {
    gpu: Gpu,
    dispatches: Vec<Dispatch>,
}

impl Plan {
    /// The number of dispatches.
    pub fn len(&self) -> usize {
        self.dispatches.len()
    }

    pub fn is_empty(&self) -> bool {
        self.dispatches.is_empty()
    }

    /// The sum of the costs of all dispatches.
    pub fn cost(&self) -> f64 {
        total_cost(&self.dispatches)
    }

    /// Submits as many dispatches from number `first` on as fit into `cost`, at least one. Returns the number
    /// of the next one.
    pub fn submit(&self, first: usize, cost: f64) -> usize {
        let mut end = first;
        let mut total = 0.0;
        while end < self.dispatches.len() && (end == first || total + self.dispatches[end].cost <= cost) {
            total += self.dispatches[end].cost;
            end += 1;
        }
        self.submit_range(first..end);
        end
    }

    /// Runs the plan once with a timestamp before and after every dispatch, and returns the times by kernel,
    /// the longest first. Returns no times if the device has no timestamps.
    #[cfg(not(target_family = "wasm"))]
    pub fn profile(&self) -> Result<Vec<KernelTime>, GpuError> {
        /// Timestamps of one query set: WebGPU's limit.
        const MAX_QUERIES: usize = 4096;
        let mut times: Vec<KernelTime> = Vec::new();
        if !self.gpu.info().timestamps {
            return Ok(times);
        }
        let period = f64::from(self.gpu.timestamp_period());
        for dispatches in self.dispatches.chunks(MAX_QUERIES / 2) {
            let stamps = self.gpu.timestamps(2 * dispatches.len(), |encoder, queries| {
                for (i, dispatch) in (0..).zip(dispatches) {
                    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                        label: None,
                        timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                            query_set: queries,
                            beginning_of_pass_write_index: Some(2 * i),
                            end_of_pass_write_index: Some(2 * i + 1),
                        }),
                    });
                    dispatch.encode(self.gpu.device(), &mut pass);
                }
            })?;
            for (dispatch, pair) in dispatches.iter().zip(stamps.chunks_exact(2)) {
                let name = dispatch.kernel.name;
                let seconds = pair[1].saturating_sub(pair[0]) as f64 * period * 1e-9;
                let index = times.iter().position(|time| time.name == name).unwrap_or_else(|| {
                    times.push(KernelTime { name, launches: 0, seconds: 0.0, operations: 0.0 });
                    times.len() - 1
                });
                let time = &mut times[index];
                time.launches += 1;
                time.seconds += seconds;
                // The cost of these kernels is the number of their operations.
                if matches!(name, "matmul" | "matmul_cooperative" | "attention") {
                    time.operations += dispatch.cost;
                }
            }
        }
        times.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        Ok(times)
    }

    /// Submits the whole plan, in submissions of at most this cost.
    pub fn submit_sliced(&self, cost: f64) {
        let mut next = 0;
        while next < self.dispatches.len() {
            next = self.submit(next, cost);
        }
    }

    /// Submits the whole plan at once.
    pub fn submit_all(&self) {
        self.submit_range(0..self.dispatches.len());
    }

    /// Submits the whole plan, and copies of the first words of these buffers, in one submission. A second
    /// one would cost the CPU tens of microseconds.
    pub fn submit_and_read(&self, reads: &[(&Buffer, usize)]) -> Vec<ReadBack> {
        let mut encoder = self.encode(&self.dispatches);
        let copies: Vec<_> = reads
            .iter()
            .map(|(buffer, words)| (self.gpu.encode_copy(&mut encoder, buffer, 0, *words), *words))
            .collect();
        self.gpu.submit(encoder.finish(), self.cost());
        copies.into_iter().map(|(copy, words)| ReadBack::new(&self.gpu, copy, words)).collect()
    }

    /// Submits the whole plan several times in one submission.
    pub fn submit_repeated(&self, times: usize) {
        let commands = self.encode((0..times).flat_map(|_| &self.dispatches)).finish();
        self.gpu.submit(commands, times as f64 * self.cost());
    }

    fn submit_range(&self, range: Range<usize>) {
        let dispatches = &self.dispatches[range];
        self.gpu.submit(self.encode(dispatches).finish(), total_cost(dispatches));
    }

    fn encode<'a>(&self, dispatches: impl IntoIterator<Item = &'a Dispatch>) -> wgpu::CommandEncoder {
        let mut encoder =
            self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            // One pass with many dispatches costs far less than a pass for each.
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            for dispatch in dispatches {
                dispatch.encode(self.gpu.device(), &mut pass);
            }
        }
        encoder
    }
}

fn total_cost(dispatches: &[Dispatch]) -> f64 {
    dispatches.iter().map(|dispatch| dispatch.cost).sum()
}
