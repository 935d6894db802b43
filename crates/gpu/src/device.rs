//! The device: allocates buffers, submits work and reads results back, without ever blocking in a browser. An
//! *adapter* is a GPU with its driver; a *device* is the logical device opened on it.

mod opening;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(not(target_family = "wasm"))]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use learnery_nn::Precision;

use crate::GpuError;
use crate::Sources;
use crate::adapter::AdapterInfo;
use crate::buffer::{Buffer, ReadBack};
use crate::error::one_line;
use crate::kernel::{Checks, Kernel};
use crate::matmul::{Size, Tiling};
use crate::memory::{Memory, size_class};
use crate::shader::{Constant, Shader};
use crate::submissions::{Submissions, slice_cost};
#[cfg(not(target_family = "wasm"))]
use crate::tuner::Tuner;

/// The most generated kernels that are kept.
const MAX_GENERATED_KERNELS: usize = 16;

/// Buffers consist of words of 32 bits.
const BYTES_PER_WORD: u64 = 4;

/// The first asynchronous error of the device, such as its loss. It is never cleared, because everything
/// computed since may be wrong.
type Failure = Arc<Mutex<Option<GpuError>>>;

/// What [`Gpu::on_progress`] was given.
type Wake = Arc<Mutex<Option<fn()>>>;

/// A kernel by the module of its sources, name and constants, and whether its indices are checked.
type KernelKey = (&'static str, &'static str, Vec<Constant>, Checks);

/// An open device. Clones share it.
#[derive(Clone, Debug)]
pub struct Gpu {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: AdapterInfo,
    kernels: Mutex<HashMap<KernelKey, Arc<Kernel>>>,
    /// The last generated kernels, the newest at the end.
    generated: Mutex<Vec<Arc<Kernel>>>,
    failure: Failure,
    /// What the device has not finished, and how fast it is.
    submissions: Arc<Mutex<Submissions>>,
    /// The peak of multiply-adds in floating-point operations per second, once it has been measured.
    speed: Mutex<Option<f64>>,
    /// Called when the device has finished a submission or a read-back; see [`Gpu::on_progress`].
    wake: Wake,
    /// Held while wgpu looks for finished work, which both a submission and a poll do. The thread that finds
    /// finished work runs its callbacks, even if another thread submitted that work. Without this lock,
    /// another thread's [`Gpu::wait`] could return before its callbacks have run.
    callbacks: Mutex<()>,
    memory: Mutex<Memory>,
    /// What [`Gpu::set_background_compiler`] was given.
    background_compiler: Mutex<Option<fn() -> bool>>,
    /// See [`crate::testing::stall_compiler`].
    #[cfg(not(target_family = "wasm"))]
    has_stalled_compiler: AtomicBool,
    #[cfg(not(target_family = "wasm"))]
    tuner: Tuner,
}

impl Gpu {
    pub fn info(&self) -> &AdapterInfo {
        &self.shared.info
    }

    /// Returns an error if the device cannot compute products in this precision.
    pub fn check_precision(&self, precision: Precision) -> Result<(), GpuError> {
        if precision == Precision::F16 && !self.shared.info.half_precision {
            return Err(GpuError::NoHalfPrecision(self.shared.info.name.clone()));
        }
        Ok(())
    }

    /// The error that the device reported, if there was one. Everything computed since may be wrong.
    pub(crate) fn failure(&self) -> Option<GpuError> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.shared.device
    }

    /// The kernel `name` of these sources, or of this crate, with these constants. The same arguments give the
    /// same kernel, so it is compiled once.
    pub(crate) fn kernel(
        &self,
        sources: &Sources,
        name: &'static str,
        constants: &[Constant],
        checks: Checks,
    ) -> Arc<Kernel> {
        let (_, owner) = sources.find(name);
        let mut kernels = self.shared.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = kernels.entry((owner.module, name, constants.to_vec(), checks));
        entry
            .or_insert_with(|| Arc::new(Kernel::new(name, Shader::new(&owner, name, constants), checks)))
            .clone()
    }

    /// The kernel of this generated module. The last few are kept, so that the same module is compiled once.
    pub fn generated_kernel(&self, name: &'static str, shader: Shader) -> Arc<Kernel> {
        let mut kept = self.shared.generated.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|kernel| kernel.is(name, &shader));
        let kernel = match known {
            Some(at) => kept.remove(at),
            None => Arc::new(Kernel::of_shader(name, shader)),
        };
        if kept.len() == MAX_GENERATED_KERNELS {
            kept.remove(0);
        }
        kept.push(kernel.clone());
        kernel
    }

    /// From now on, generated kernels are compiled beside everything else, as in a browser, which must not
    /// wait for its compiler. `is_at_work` says whether one is being compiled.
    pub fn set_background_compiler(&self, is_at_work: fn() -> bool) {
        *self.shared.background_compiler.lock().unwrap_or_else(PoisonError::into_inner) = Some(is_at_work);
    }

    /// Whether a generated kernel is being compiled beside everything else; `None` if they are compiled
    /// otherwise.
    pub fn compiles_in_background(&self) -> Option<bool> {
        let is_at_work = *self.shared.background_compiler.lock().unwrap_or_else(PoisonError::into_inner);
        is_at_work.map(|is_at_work| is_at_work())
    }

    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn has_stalled_compiler(&self) -> bool {
        self.shared.has_stalled_compiler.load(Ordering::Relaxed)
    }

    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn stall_compiler(&self, is_stalled: bool) {
        self.shared.has_stalled_compiler.store(is_stalled, Ordering::Relaxed);
    }

    /// The bytes of memory that the invocations of a workgroup can share.
    pub fn workgroup_bytes(&self) -> usize {
        self.device().limits().max_compute_workgroup_storage_size as usize
    }

    /// A buffer of `words` words of 32 bits, initialised with zeros.
    pub fn buffer(&self, words: usize) -> Result<Buffer, GpuError> {
        // At least a vector of four words, which some kernels have as the element of a binding.
        let bytes = BYTES_PER_WORD * words.max(4) as u64;
        let limit = self.shared.info.largest_binding;
        if bytes > limit {
            return Err(GpuError::Limit(format!(
                "a buffer of {} is needed, but the GPU allows {}",
                megabytes(bytes),
                megabytes(limit)
            )));
        }
        let class = size_class(bytes).min(limit);
        let pooled = self.memory().take(class);
        if let Some(raw) = pooled {
            let mut encoder =
                self.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.clear_buffer(&raw, 0, None);
            self.submit(encoder.finish(), 0.0);
            return Ok(Buffer::new(raw, words, self));
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let raw = self.raw_buffer(class, usage);
        self.memory().add(class);
        Ok(Buffer::new(raw, words, self))
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.shared.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the memory of a buffer that is no longer used.
    pub(crate) fn release(&self, raw: wgpu::Buffer) {
        self.memory().release(raw);
    }

    pub(crate) fn raw_buffer(&self, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device().create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// The maximum of the bytes that were allocated at the same time, in use or in the pool.
    pub fn peak_bytes(&self) -> u64 {
        self.memory().peak()
    }

    /// Writes `values` to a buffer from word `first` on. It takes effect after all earlier submissions and
    /// before all later ones.
    pub fn write<T: bytemuck::NoUninit>(&self, buffer: &Buffer, first: usize, values: &[T]) {
        self.shared.queue.write_buffer(
            buffer.raw(),
            BYTES_PER_WORD * first as u64,
            bytemuck::cast_slice(values),
        );
    }

    pub(crate) fn write_raw(&self, buffer: &wgpu::Buffer, bytes: &[u8]) {
        self.shared.queue.write_buffer(buffer, 0, bytes);
    }

    /// Submits commands of this cost, which is that of their dispatches. [`Gpu::in_flight`] counts them until
    /// the device has finished them.
    pub(crate) fn submit(&self, commands: wgpu::CommandBuffer, cost: f64) {
        let _callbacks = self.shared.callbacks.lock().unwrap_or_else(PoisonError::into_inner);
        if cost > 0.0 && self.submissions().needs_probe() {
            self.submissions().begin_probe();
            self.submit_recorded(self.no_commands());
        }
        self.submissions().begin(cost);
        self.submit_recorded(commands);
    }

    /// Submits commands that `submissions` has recorded. The caller holds the lock `callbacks`.
    fn submit_recorded(&self, commands: wgpu::CommandBuffer) {
        self.shared.queue.submit([commands]);
        let submissions = self.shared.submissions.clone();
        let wake = self.waker();
        self.shared.queue.on_submitted_work_done(move || {
            submissions.lock().unwrap_or_else(PoisonError::into_inner).end();
            wake();
        });
    }

    fn no_commands(&self) -> wgpu::CommandBuffer {
        self.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default()).finish()
    }

    fn submissions(&self) -> MutexGuard<'_, Submissions> {
        self.shared.submissions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, the speed of submissions is measured by this clock, which returns the time in seconds
    /// since any fixed moment. Natively there is a clock from the start.
    pub fn set_clock(&self, clock: fn() -> f64) {
        self.submissions().set_clock(clock);
    }

    /// Calls `wake` from now on whenever the device has finished a submission or a read-back. A page's worker
    /// then goes on at once instead of asking again and again. Natively it is called while the device is
    /// polled.
    pub fn on_progress(&self, wake: fn()) {
        *self.shared.wake.lock().unwrap_or_else(PoisonError::into_inner) = Some(wake);
    }

    /// A function that calls what [`Gpu::on_progress`] was given.
    pub(crate) fn waker(&self) -> impl FnOnce() + Send + 'static {
        let wake = self.shared.wake.clone();
        move || {
            let wake = *wake.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(wake) = wake {
                wake();
            }
        }
    }

    /// Remembers the measured peak of multiply-adds, in floating-point operations per second. The submissions
    /// by which it was measured say nothing about the speed of others, so that is measured anew.
    pub(crate) fn set_speed(&self, speed: f64) {
        self.submissions().forget_rates();
        *self.shared.speed.lock().unwrap_or_else(PoisonError::into_inner) = Some(speed);
    }

    /// The cost of a submission that takes some milliseconds; `submissions.rs` decides. It has no influence on
    /// results.
    pub fn slice_cost(&self) -> f64 {
        let peak = *self.shared.speed.lock().unwrap_or_else(PoisonError::into_inner);
        slice_cost(self.shared.info.software, peak, self.submissions().rate())
    }

    /// Submits no work, to learn from [`Gpu::in_flight`] when the device has finished everything before, such
    /// as compiling kernels.
    pub fn submit_nothing(&self) {
        self.submit(self.no_commands(), 0.0);
    }

    /// The number of submissions that the device has not finished, or the error that it reported.
    pub fn in_flight(&self) -> Result<usize, GpuError> {
        // In a browser polling does nothing: there the worker's message loop runs the callbacks.
        self.poll(wgpu::PollType::Poll);
        match self.failure() {
            Some(failure) => Err(failure),
            None => Ok(self.submissions().len()),
        }
    }

    /// Whether enough submissions are under way, or the error that the device reported.
    pub fn is_busy(&self) -> Result<bool, GpuError> {
        self.in_flight()?;
        let slice_cost = self.slice_cost();
        Ok(self.submissions().are_enough(slice_cost))
    }

    /// Polls the device, which runs the callbacks of what it has finished. On some drivers wgpu panics if the
    /// device is lost; that is an error of the run and not of the program.
    fn poll(&self, how: wgpu::PollType) {
        if self.failure().is_some() {
            return;
        }
        let callbacks = self.shared.callbacks.lock().unwrap_or_else(PoisonError::into_inner);
        let polled = catch_unwind(AssertUnwindSafe(|| self.shared.device.poll(how)));
        drop(callbacks);
        let problem = match polled {
            Ok(Ok(_)) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the driver reported its loss".into(),
        };
        // The callbacks may have reported the cause already.
        let mut failure = self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(GpuError::Lost(one_line(&problem)));
    }

    /// Blocks until the device has finished everything. Natively only: a browser must not block.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(&self) {
        self.poll(wgpu::PollType::wait_indefinitely());
    }

    /// Starts to read a part of a buffer back to the CPU.
    pub fn read_back(&self, buffer: &Buffer, first: usize, words: usize) -> ReadBack {
        let mut encoder = self.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let copy = self.encode_copy(&mut encoder, buffer, first, words);
        self.submit(encoder.finish(), 0.0);
        ReadBack::new(self, copy, words)
    }

    /// Appends a copy of a part of a buffer to commands. [`ReadBack::new`] reads what is returned, once the
    /// commands are submitted.
    pub(crate) fn encode_copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        buffer: &Buffer,
        first: usize,
        words: usize,
    ) -> wgpu::Buffer {
        let bytes = BYTES_PER_WORD * words as u64;
        // The copy of an empty part has memory too, because an empty buffer cannot be mapped.
        let copy =
            self.raw_buffer(bytes.max(16), wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        encoder.copy_buffer_to_buffer(buffer.raw(), BYTES_PER_WORD * first as u64, &copy, 0, bytes);
        copy
    }

    /// Nanoseconds per tick of a timestamp.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn timestamp_period(&self) -> f32 {
        self.shared.queue.get_timestamp_period()
    }

    /// Runs commands that write `count` timestamps, and returns these.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn timestamps(
        &self,
        count: usize,
        encode: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::QuerySet),
    ) -> Result<Vec<u64>, GpuError> {
        let queries = self.device().create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: count as u32,
        });
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        // A timestamp has 64 bits, two words. Timestamps are resolved into a buffer with that usage, and
        // copied to one that can be read back.
        let resolved = self.raw_buffer(8 * count as u64, usage);
        let stamps = self.buffer(2 * count)?;
        let mut encoder = self.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encode(&mut encoder, &queries);
        encoder.resolve_query_set(&queries, 0..count as u32, &resolved, 0);
        encoder.copy_buffer_to_buffer(&resolved, 0, stamps.raw(), 0, 8 * count as u64);
        self.submit(encoder.finish(), 0.0);
        self.read(&stamps, 0, 2 * count)
    }

    /// The tiling for products of this size and precision, transposed or not: the fastest on this device if
    /// [`Gpu::tune`] was called, otherwise one chosen by the size alone. Every tiling gives the same bits.
    pub(crate) fn tiling(&self, size: Size, transposed: [bool; 2], precision: Precision) -> Tiling {
        #[cfg(not(target_family = "wasm"))]
        if let Some(tiling) = self.shared.tuner.tiling(self, size, transposed, precision) {
            return tiling;
        }
        // In a browser there is no tuner, which alone uses these.
        let _ = (transposed, precision);
        size.default_tiling()
    }

    /// The version of the kernels that compute a run with products in this precision, which its checkpoints record.
    pub fn kernel_version(&self, precision: Precision) -> u32 {
        #[cfg(not(target_family = "wasm"))]
        if precision == Precision::F16 && self.has_cooperative_matrices() {
            return crate::cooperative::KERNEL_VERSION;
        }
        let _ = precision;
        crate::shader::KERNEL_VERSION
    }

    /// The tiling for products by cooperative matrices, chosen in the same way as [`Gpu::tiling`].
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn cooperative_tiling(
        &self,
        product: &crate::cooperative::Class,
    ) -> crate::cooperative::Tiling {
        let tuned = self.shared.tuner.cooperative_tiling(self, product);
        tuned.unwrap_or_else(|| product.default_tiling(self))
    }

    /// Turns the [tuner](crate::tuner) on. On software adapters it takes longer than it saves.
    #[cfg(not(target_family = "wasm"))]
    pub fn tune(&self) {
        self.shared.tuner.turn_on();
    }

    /// Reads a part of a buffer and blocks until it is there.
    #[cfg(not(target_family = "wasm"))]
    pub fn read<T: bytemuck::AnyBitPattern>(
        &self,
        buffer: &Buffer,
        first: usize,
        words: usize,
    ) -> Result<Vec<T>, GpuError> {
        let reading = self.read_back(buffer, first, words);
        self.wait();
        loop {
            if let Some(values) = reading.poll()? {
                return Ok(values);
            }
        }
    }
}

/// A size in megabytes, for messages.
fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}
