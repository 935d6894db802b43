//! Kernels: a WGSL module, and once it is compiled a pipeline and the layout of its bindings.

use std::sync::OnceLock;
#[cfg(not(target_family = "wasm"))]
use std::sync::{Arc, mpsc};
#[cfg(not(target_family = "wasm"))]
use std::time::{Duration, Instant};

use crate::Gpu;
#[cfg(not(target_family = "wasm"))]
use crate::GpuError;
use crate::shader::{Access, Shader};

/// Seconds that the compiler of a hardware GPU may take for generated kernels, which are those made from the
/// rules of a world that a user has written. If it takes longer, the run stays on the CPU.
pub const COMPILER_SECONDS: u64 = 10;

/// The labels of pipelines with generated kernels begin with this. By it, the page's worker knows which ones
/// to compile in the background (`crates/web/src/wasm/background-compiler.js`).
const GENERATED_LABEL: &str = "generated ";

/// A kernel: its text, and its pipeline once it is compiled, at the latest when a plan with it is built.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) name: &'static str,
    pub(crate) bindings: Vec<(u32, Access)>,
    text: String,
    checks: Checks,
    is_generated: bool,
    compiled: OnceLock<CompiledKernel>,
}

/// Whether the device checks a kernel's indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Checks {
    Full,
    /// None, for matrix products only, see [`crate::trusted`].
    #[cfg(not(target_family = "wasm"))]
    Trusted(crate::trusted::Proof),
}

#[derive(Debug)]
pub(crate) struct CompiledKernel {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

impl Kernel {
    /// A kernel from a generated module, such as the rules of a world. `name` is a label for reports; there
    /// need not be a file of that name.
    pub fn of_shader(name: &'static str, shader: Shader) -> Self {
        Self { is_generated: true, ..Self::new(name, shader, Checks::Full) }
    }

    pub(crate) fn new(name: &'static str, shader: Shader, checks: Checks) -> Self {
        let Shader { text, bindings } = shader;
        Self { name, bindings, text, checks, is_generated: false, compiled: OnceLock::new() }
    }

    /// Whether it is the kernel of this module and name.
    pub(crate) fn is(&self, name: &str, shader: &Shader) -> bool {
        self.name == name && self.text == shader.text
    }

    /// Compiles these kernels, each on a thread of its own, and waits at most `seconds`. A driver cannot be
    /// stopped: a compilation that takes longer goes on, and its result is not used. A software adapter
    /// compiles them when they are needed, however long that takes.
    #[cfg(not(target_family = "wasm"))]
    pub fn compile_within(gpu: &Gpu, kernels: &[Arc<Self>], seconds: u64) -> Result<(), GpuError> {
        let is_stalled = gpu.has_stalled_compiler();
        if gpu.info().software && !is_stalled {
            return Ok(());
        }
        let (sender, receiver) = mpsc::channel();
        // A compiler that is never ready need not be waited for.
        let seconds_to_wait = if is_stalled { 0 } else { seconds };
        for kernel in kernels.iter().filter(|_| !is_stalled) {
            let (gpu, kernel, sender) = (gpu.clone(), kernel.clone(), sender.clone());
            std::thread::spawn(move || {
                kernel.compiled(gpu.device());
                // After the time limit nobody receives it.
                let _ = sender.send(());
            });
        }
        let end = Instant::now() + Duration::from_secs(seconds_to_wait);
        for _ in kernels {
            let rest = end.saturating_duration_since(Instant::now());
            receiver.recv_timeout(rest).map_err(|_| GpuError::SlowCompiler(seconds))?;
        }
        Ok(())
    }

    /// Begins to compile it in the background, where the page's worker does so
    /// ([`Gpu::compiles_in_background`]). Elsewhere this compiles it and returns only then.
    pub fn begin_to_compile(&self, gpu: &Gpu) {
        self.compiled(gpu.device());
    }

    /// The pipeline and the layout, which the first call compiles.
    pub(crate) fn compiled(&self, device: &wgpu::Device) -> &CompiledKernel {
        self.compiled.get_or_init(|| self.compile(device))
    }

    fn compile(&self, device: &wgpu::Device) -> CompiledKernel {
        let name = self.name;
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl((&self.text).into()),
        };
        let module = match self.checks {
            Checks::Full => device.create_shader_module(descriptor),
            #[cfg(not(target_family = "wasm"))]
            Checks::Trusted(proof) => crate::trusted::unchecked_module(device, descriptor, proof),
        };
        let entries: Vec<_> = self
            .bindings
            .iter()
            .map(|(binding, access)| wgpu::BindGroupLayoutEntry {
                binding: *binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: match access {
                        Access::Uniform => wgpu::BufferBindingType::Uniform,
                        Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
                        Access::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
                    },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(name),
            entries: &entries,
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: &[Some(&layout)],
            ..wgpu::PipelineLayoutDescriptor::default()
        });
        let prefix = if self.is_generated { GENERATED_LABEL } else { "" };
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(&format!("{prefix}{name}")),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Every kernel writes a value before it reads it from the workgroup's memory.
                zero_initialize_workgroup_memory: false,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: None,
        });
        CompiledKernel { pipeline, layout }
    }
}
