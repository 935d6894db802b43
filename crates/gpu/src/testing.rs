//! For tests of this crate and of the labs: the device, reading back from it, vectors of numbers and their
//! distance, and the checks of kernels.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use learnery_kernels::rng::Stream;
use wgpu::naga::{self, valid::Capabilities};

use crate::shader::{Access, Constant, HALF, SOURCES, Shader};
use crate::{Gpu, GpuError, Precision, ReadBack, Sources, block_on};

/// The device of this machine, opened once; a software adapter will do. If there is no device, this prints a
/// visible line and returns `None`, so that tests can be skipped.
///
/// # Panics
/// Without a device, if the environment variable `CI` is set: there no test may be skipped.
#[expect(clippy::print_stdout, reason = "it tells the readers of a test's output which adapter it uses")]
pub fn device() -> Option<&'static Gpu> {
    static DEVICE: OnceLock<Option<Gpu>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| {
        let software = true;
        match block_on(Gpu::open(software)) {
            Ok(gpu) => {
                println!("tests run on {} ({})", gpu.info().name, gpu.info().driver);
                Some(gpu)
            }
            Err(error) if std::env::var_os("CI").is_none() => {
                println!("SKIPPED: {error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    });
    device.as_ref()
}

/// A device with WebGPU's default limits and no optional features, as every GPU with WebGPU has, see
/// [`Gpu::open_modest`]; `None` where [`device`] returns `None`.
///
/// # Panics
/// If the adapter cannot be opened a second time.
pub fn modest_device() -> Option<Gpu> {
    device()?;
    Some(block_on(Gpu::open_modest(true)).expect("every adapter has the default limits"))
}

/// Makes the device believe that this is its peak, in floating-point operations per second. It sizes
/// submissions.
pub fn assume_peak(gpu: &Gpu, peak: f64) {
    gpu.set_speed(peak);
}

/// Lets the device's compiler be that of a hardware GPU that is never ready with the kernels of a world's
/// rules, or its own again. Nobody waits for it: its time counts as over at once.
pub fn stall_compiler(gpu: &Gpu, is_stalled: bool) {
    gpu.stall_compiler(is_stalled);
}

/// The device, if it has 16-bit floats, see [`precisions`].
pub fn half_device() -> Option<&'static Gpu> {
    device().filter(|gpu| precisions(gpu).contains(&Precision::F16))
}

/// The precisions of products that the device has. Prints a line if f16 is missing. That is no failure even
/// where `CI` is set, because SwiftShader has no 16-bit floats.
#[expect(clippy::print_stdout, reason = "it tells the readers of a test's output what is skipped")]
pub fn precisions(gpu: &Gpu) -> &'static [Precision] {
    match gpu.check_precision(Precision::F16) {
        Ok(()) => &[Precision::F32, Precision::F16],
        Err(reason) => {
            println!("SKIPPED in f16: {reason}");
            &[Precision::F32]
        }
    }
}

/// Waits for what is being read back, and returns it.
pub fn arrive<T: bytemuck::AnyBitPattern>(gpu: &Gpu, reading: &ReadBack) -> Vec<T> {
    wait_for(gpu, || reading.poll())
}

/// Waits until `poll` returns the results of what has been submitted.
pub fn wait_for<T>(gpu: &Gpu, mut poll: impl FnMut() -> Result<Option<T>, GpuError>) -> T {
    gpu.wait();
    // The tests share the device, and the results may be announced in another test's wait, which is not over.
    loop {
        if let Some(results) = poll().expect("the device answers") {
            return results;
        }
    }
}

/// Numbers between -1 and 1 that look random.
pub fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let any_id = 77;
    let stream = Stream::new(seed, any_id);
    (0..count as u64).map(|i| 2.0 * stream.uniform(i, 0) - 1.0).collect()
}

/// The distance of two vectors relative to the norm of the second.
pub fn relative_distance(a: &[f32], b: &[f32]) -> f64 {
    relative_distance_with_floor(a, b, 1e-30)
}

/// The distance of two vectors relative to the norm of the second, or to `floor` if the norm is smaller.
pub fn relative_distance_with_floor(a: &[f32], b: &[f32], floor: f64) -> f64 {
    assert_eq!(a.len(), b.len());
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    let difference = norm(&mut a.iter().zip(b).map(|(a, b)| f64::from(*a) - f64::from(*b)));
    difference / norm(&mut b.iter().map(|b| f64::from(*b))).max(floor)
}

/// Checks the kernels of a module, in the variants that its plans use: naga accepts them, and they need no
/// more than WebGPU guarantees. `folder` holds their files, all of which must be listed. Writes the WGSL
/// modules to a folder of their own in `out`, for the browser test that lets Chromium's stricter compiler
/// read them.
///
/// # Panics
/// If a kernel is not as it should be.
pub fn check_kernels(
    sources: Sources,
    folder: &str,
    out: &str,
    variants: impl Fn(&str) -> Vec<Vec<Constant>>,
) {
    let names = |path: &Path| -> Vec<String> {
        let files =
            fs::read_dir(path).expect("the folder of the kernels").map(|entry| entry.expect("a file"));
        let files = files.map(|entry| entry.path()).filter(|path| path.is_file());
        let mut names: Vec<_> = files.map(|path| path.with_extension("")).collect();
        names.sort();
        names.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
    };
    let mut listed: Vec<&str> = sources.texts.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    assert_eq!(listed, names(Path::new(folder)), "{folder} has other files than `{}` lists", sources.module);
    if sources.module != SOURCES.module {
        let common = listed.iter().find(|name| SOURCES.texts.iter().any(|(known, _)| known == *name));
        assert_eq!(common, None, "a kernel has the name of one that all modules have");
    }
    let out = Path::new(out).join("shaders").join(sources.module.replace("::", "-"));
    if out.exists() {
        fs::remove_dir_all(&out).expect("the folder of the last test can be removed");
    }
    fs::create_dir_all(&out).expect("the folder for temporary files can be written to");
    for name in listed {
        for (i, constants) in variants(name).iter().enumerate() {
            let shader = Shader::new(&sources, name, constants);
            check_kernel(name, constants, &shader);
            let text = format!("// {name} {constants:?}\n{}", shader.text);
            fs::write(out.join(format!("{name}-{i}.wgsl")), text).expect("the file can be written");
        }
    }
}

/// The bytes of memory that WebGPU guarantees to a workgroup.
const MAX_WORKGROUP_BYTES: u32 = 16_384;

/// The storage buffers that WebGPU guarantees to a kernel.
const MAX_STORAGE_BUFFERS: usize = 8;

/// Checks a kernel with one set of constants, see [`check_kernels`].
fn check_kernel(name: &str, constants: &[Constant], Shader { text, bindings }: &Shader) {
    let half = constants.contains(&(HALF, 1));
    let capabilities = if half { Capabilities::SHADER_FLOAT16 } else { Capabilities::empty() };
    let module = naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|e| panic!("{name} {constants:?}: {}", e.emit_to_string(text)));
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
    if let Err(error) = validator.validate(&module) {
        panic!("{name} {constants:?}: {}", error.emit_to_string(text));
    }
    assert!(module.entry_points.iter().any(|entry| entry.name == "main"), "{name} has no entry point");
    // Sizes of constants are computed by the layouter.
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("the types are valid");
    let in_workgroup = |variable: &naga::GlobalVariable| variable.space == naga::AddressSpace::WorkGroup;
    let variables = module.global_variables.iter().map(|(_, variable)| variable);
    let bytes: u32 =
        variables.filter(|variable| in_workgroup(variable)).map(|variable| layouter[variable.ty].size).sum();
    assert!(
        bytes <= MAX_WORKGROUP_BYTES,
        "{name} {constants:?} uses {bytes} bytes of a workgroup's memory; 16,384 are guaranteed"
    );
    let storage = bindings.iter().filter(|(_, access)| *access != Access::Uniform).count();
    assert!(storage <= MAX_STORAGE_BUFFERS, "{name} uses {storage} storage buffers; WebGPU guarantees 8");
}
