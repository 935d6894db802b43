//! Opens a device: finds an adapter, and asks it for features and limits.

#[cfg(not(target_family = "wasm"))]
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Failure, Gpu, Shared};
use crate::GpuError;
use crate::adapter::{AdapterInfo, instance};
use crate::error::one_line;
use crate::submissions::Submissions;
#[cfg(not(target_family = "wasm"))]
use crate::tuner::Tuner;

impl Gpu {
    /// Opens the most powerful adapter. Software adapters are opened only if `software` allows it.
    pub async fn open(software: bool) -> Result<Self, GpuError> {
        Self::open_named(software, String::new()).await
    }

    /// Like [`Gpu::open`], with a name for an adapter that does not tell its own, as in browsers.
    pub async fn open_named(software: bool, name: String) -> Result<Self, GpuError> {
        let (adapter, info) = find_adapter(software, name).await?;
        Self::on(&adapter, info).await
    }

    /// Like [`Gpu::open`], with no more than every GPU with WebGPU has, as on phones and older cards: no optional
    /// features, and WebGPU's default limits.
    #[cfg(not(target_family = "wasm"))]
    pub async fn open_modest(software: bool) -> Result<Self, GpuError> {
        let (adapter, mut info) = find_adapter(software, String::new()).await?;
        let limits = wgpu::Limits::default();
        info.largest_binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        (info.timestamps, info.half_precision) = (false, false);
        let descriptor =
            wgpu::DeviceDescriptor { required_limits: limits, ..wgpu::DeviceDescriptor::default() };
        Self::with(&adapter, info, &descriptor).await
    }

    /// Opens every adapter of this machine, software adapters too.
    #[cfg(not(target_family = "wasm"))]
    pub async fn open_all() -> Vec<(AdapterInfo, Result<Self, GpuError>)> {
        let mut opened = Vec::new();
        for adapter in instance().enumerate_adapters(wgpu::Backends::all()).await {
            let info = AdapterInfo::new(&adapter);
            opened.push((info.clone(), Self::on(&adapter, info).await));
        }
        opened
    }

    /// Opens a device on an adapter.
    async fn on(adapter: &wgpu::Adapter, info: AdapterInfo) -> Result<Self, GpuError> {
        let optional = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SHADER_F16;
        let descriptor = wgpu::DeviceDescriptor {
            required_features: adapter.features() & optional,
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        };
        #[cfg(not(target_family = "wasm"))]
        let descriptor = crate::trusted::with_cooperative_matrices(adapter, descriptor);
        Self::with(adapter, info, &descriptor).await
    }

    /// Opens a device with these features and limits.
    async fn with(
        adapter: &wgpu::Adapter,
        info: AdapterInfo,
        descriptor: &wgpu::DeviceDescriptor<'_>,
    ) -> Result<Self, GpuError> {
        let (device, queue) =
            adapter.request_device(descriptor).await.map_err(|e| GpuError::Open(one_line(&e.to_string())))?;
        let failure = Failure::default();
        let lost = failure.clone();
        device.set_device_lost_callback(move |reason, message| {
            // A device that is dropped at the end is destroyed, which is no error.
            if reason != wgpu::DeviceLostReason::Destroyed {
                let error = GpuError::Lost(one_line(&message));
                lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
        let uncaptured = failure.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let error = match error {
                wgpu::Error::OutOfMemory { source } => GpuError::OutOfMemory(one_line(&source.to_string())),
                other => GpuError::Failed(one_line(&other.to_string())),
            };
            uncaptured.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }));
        let shared = Shared {
            device,
            queue,
            info,
            kernels: Mutex::default(),
            generated: Mutex::default(),
            failure,
            submissions: Arc::new(Mutex::new(Submissions::new(native_clock()))),
            callbacks: Mutex::default(),
            speed: Mutex::default(),
            wake: Arc::default(),
            memory: Mutex::default(),
            background_compiler: Mutex::default(),
            #[cfg(not(target_family = "wasm"))]
            has_stalled_compiler: AtomicBool::default(),
            #[cfg(not(target_family = "wasm"))]
            tuner: Tuner::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }
}

/// Finds the most powerful adapter; a software adapter only if `software` allows it. It gets this name if it
/// does not tell its own.
async fn find_adapter(software: bool, name: String) -> Result<(wgpu::Adapter, AdapterInfo), GpuError> {
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    let adapter =
        instance().request_adapter(&options).await.map_err(|e| match cfg!(target_family = "wasm") {
            // The reasons that wgpu gives are about the backends of other platforms.
            true => GpuError::NoAdapter("the browser offers none".into()),
            false => GpuError::NoAdapter(one_line(&e.to_string())),
        })?;
    let mut info = AdapterInfo::new(&adapter);
    if info.name.is_empty() {
        info.name = if name.is_empty() { "unnamed".into() } else { name };
    }
    if info.software && !software {
        return Err(GpuError::SoftwareAdapter(info.name));
    }
    Ok((adapter, info))
}

/// A clock for [`Submissions`]; `None` in a browser, where the standard library has none.
fn native_clock() -> Option<fn() -> f64> {
    #[cfg(not(target_family = "wasm"))]
    return Some(|| {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed().as_secs_f64()
    });
    #[cfg(target_family = "wasm")]
    None
}
