//! Adapters: the GPUs of this machine, each with its driver.

/// What is known of an adapter before it is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterInfo {
    /// The name of the GPU; empty if it does not tell it.
    pub name: String,
    /// The name and version of its driver; empty in browsers.
    pub driver: String,
    /// The graphics API, such as `vulkan`.
    pub backend: String,
    /// Whether it is an implementation on the CPU, such as llvmpipe or SwiftShader.
    pub software: bool,
    /// Whether it is a graphics card with memory of its own, which browsers do not tell.
    pub discrete: bool,
    /// The largest buffer that a kernel can use, in bytes: the smaller of the limits of buffers and of
    /// bindings.
    pub largest_binding: u64,
    /// Whether kernels can be timed.
    pub timestamps: bool,
    /// Whether kernels can use floats of 16 bits.
    pub half_precision: bool,
}

impl AdapterInfo {
    pub(crate) fn new(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let (limits, features) = (adapter.limits(), adapter.features());
        let driver = [info.driver.trim(), info.driver_info.trim()].join(" ");
        Self {
            software: info.device_type == wgpu::DeviceType::Cpu || is_known_software(&info.name, &driver),
            name: info.name,
            discrete: info.device_type == wgpu::DeviceType::DiscreteGpu,
            driver: driver.trim().to_owned(),
            backend: info.backend.to_string(),
            largest_binding: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            half_precision: features.contains(wgpu::Features::SHADER_F16),
        }
    }
}

/// Software adapters by name, because some browsers and drivers do not report the type of an adapter.
fn is_known_software(name: &str, driver: &str) -> bool {
    let text = format!("{name} {driver}").to_lowercase();
    ["swiftshader", "llvmpipe", "lavapipe", "basic render"].iter().any(|known| text.contains(known))
}

/// The instance of wgpu with this platform's backend.
pub(crate) fn instance() -> wgpu::Instance {
    let backends = if cfg!(target_family = "wasm") {
        wgpu::Backends::BROWSER_WEBGPU
    } else if cfg!(target_os = "macos") {
        wgpu::Backends::METAL
    } else if cfg!(windows) {
        wgpu::Backends::DX12
    } else {
        wgpu::Backends::VULKAN
    };
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
}

/// Polls a future until it is ready. Natively, the futures of wgpu complete without a waker.
#[cfg(not(target_family = "wasm"))]
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::yield_now();
    }
}
