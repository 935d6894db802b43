//! The GPU (graphics processor), in a browser through WebGPU and natively through Vulkan, Metal or Direct3D
//! 12: the device, plans of buffers and dispatches, the kernels in WGSL that every learner uses, and the
//! transformer. A lab plans its own kernels, whose files lie beside the plans ([`kernel_sources!`]).
//!
//! Nothing here blocks in a browser: work is submitted, and whether it is done is asked later
//! ([`Gpu::in_flight`], [`ReadBack::poll`]).
//!
//! **Bits.** The same adapter, driver and kernel version give the same bits, however the work is sliced: no
//! sum uses atomic additions, and the order of every sum follows from the shapes alone. Integers and random
//! words equal those of the CPU. Devices may round a multiply-add once or twice, so across devices results
//! agree within a tolerance.

pub mod adam;
mod adapter;
#[cfg(not(target_family = "wasm"))]
pub mod bench;
mod buffer;
#[cfg(not(target_family = "wasm"))]
pub mod cooperative;
mod device;
mod error;
mod kernel;
pub mod layers;
pub mod matmul;
mod memory;
mod pending;
mod plan;
pub mod shader;
mod sources;
pub mod speed;
mod submissions;
#[cfg(not(target_family = "wasm"))]
pub mod testing;
#[cfg(feature = "transformer")]
pub mod transformer;
#[cfg(not(target_family = "wasm"))]
mod trusted;
#[cfg(not(target_family = "wasm"))]
mod tuner;
pub mod update;

pub use adapter::AdapterInfo;
#[cfg(not(target_family = "wasm"))]
pub use adapter::block_on;
pub use buffer::{Buffer, ReadBack};
pub use device::Gpu;
pub use error::GpuError;
pub use kernel::{COMPILER_SECONDS, Kernel};
pub use learnery_nn::Precision;
pub use pending::Pending;
pub use plan::{KernelTime, Plan, PlanBuilder, Progress, Word};
pub use sources::Sources;
#[doc(hidden)]
pub use sources::{code, code_length, text};
pub use speed::SpeedMeasurement;
