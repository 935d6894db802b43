//! The GPU (graphics processor), in a browser through WebGPU and natively through Vulkan, Metal or Direct3D 12: the
//! device, plans of buffers and dispatches, kernels in WGSL, and the networks that learn on them.
//!
//! Nothing here blocks in a browser: work is submitted, and whether it is done is asked later ([`Gpu::in_flight`],
//! [`ReadBack::poll`]).
//!
//! **Bits.** The same adapter, driver and kernel version give the same bits, however the work is sliced: no sum uses
//! atomic additions, and the order of every sum follows from the shapes alone. Integers and random words equal those of
//! the CPU. Devices may round a multiply-add once or twice, so across devices results agree within a tolerance.

#[cfg(any(feature = "puzzle", feature = "resnet", feature = "transformer"))]
mod adam;
mod adapter;
#[cfg(not(target_family = "wasm"))]
pub mod bench;
mod buffer;
#[cfg(not(target_family = "wasm"))]
pub mod cooperative;
mod device;
mod error;
#[cfg(feature = "gates")]
pub mod gates;
mod kernel;
#[cfg(any(feature = "puzzle", feature = "resnet", feature = "transformer"))]
mod layers;
pub mod matmul;
mod memory;
#[cfg(any(feature = "puzzle", feature = "resnet"))]
mod pending;
mod plan;
#[cfg(feature = "ppo")]
pub mod ppo;
#[cfg(feature = "puzzle")]
pub mod puzzle;
#[cfg(feature = "resnet")]
pub mod resnet;
pub mod shader;
pub mod speed;
#[cfg(not(target_family = "wasm"))]
pub mod testing;
#[cfg(feature = "transformer")]
pub mod transformer;
#[cfg(not(target_family = "wasm"))]
mod trusted;
#[cfg(not(target_family = "wasm"))]
mod tuner;
#[cfg(any(feature = "puzzle", feature = "resnet", feature = "transformer"))]
mod update;

pub use adapter::AdapterInfo;
#[cfg(not(target_family = "wasm"))]
pub use adapter::block_on;
pub use buffer::{Buffer, ReadBack};
pub use device::Gpu;
pub use error::GpuError;
pub use learnery_nn::Precision;
pub use plan::{KernelTime, Plan, PlanBuilder, Progress, Word};
pub use speed::SpeedMeasurement;
