//! Compiled kernels: a pipeline and the layout of its bindings, made from a kernel's WGSL module.

use crate::shader::{Access, Constant, Shader};

/// A compiled kernel.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
    pub bindings: Vec<(u32, Access)>,
    pub name: &'static str,
}

impl Kernel {
    /// Compiles the kernel `name` with these constants.
    pub fn compile(device: &wgpu::Device, name: &'static str, constants: &[Constant]) -> Self {
        Self::of_shader(device, name, &Shader::new(name, constants))
    }

    /// Compiles this module under a name.
    pub fn of_shader(device: &wgpu::Device, name: &'static str, Shader { text, bindings }: &Shader) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let entries: Vec<_> = bindings
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
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
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
        Self { pipeline, layout, bindings: bindings.clone(), name }
    }
}
