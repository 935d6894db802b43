//! The device: its pool of buffers, and the measurement of its speed.

use learnery_gpu::{Gpu, bench, block_on};

/// A device that one test alone uses, because other tests run at the same time and allocate buffers too.
fn own_device() -> Option<Gpu> {
    crate::device()?;
    Some(block_on(Gpu::open(true)).expect("the adapter opens a second device"))
}

#[test]
fn memory_of_freed_buffers_is_used_again_and_cleared() {
    let Some(gpu) = own_device() else { return };
    let first = gpu.buffer(1000).expect("a small buffer");
    gpu.write(&first, 0, &[7.0f32; 1000]);
    drop(first);
    let peak = gpu.peak_bytes();
    assert!((4000..=4500).contains(&peak), "{peak} bytes for 4000");
    // 1005 words are of the same size class.
    let second = gpu.buffer(1005).expect("a small buffer");
    assert_eq!(gpu.read::<f32>(&second, 0, 1005).expect("the device answers"), [0.0; 1005]);
    assert_eq!(gpu.peak_bytes(), peak, "no new memory");
    let third = gpu.buffer(1000).expect("a small buffer");
    assert_eq!(gpu.peak_bytes(), 2 * peak, "the memory is in use");
    drop((second, third));
}

#[test]
fn buffer_beyond_the_limit_is_refused_in_a_sentence() {
    let Some(gpu) = own_device() else { return };
    let words = (gpu.info().largest_binding / 4) as usize + 1;
    let message = gpu.buffer(words).expect_err("too large").to_string();
    assert!(message.starts_with("the GPU's limit is too small for this run: a buffer of "), "{message}");
}

#[test]
fn speed_is_measured_and_sizes_submissions() {
    let Some(gpu) = own_device() else { return };
    let before = gpu.slice_cost();
    let speed = bench::measure_speed(&gpu).expect("the device answers");
    assert!(speed.is_finite() && speed > 1e7, "{speed} operations a second");
    assert_ne!(gpu.slice_cost(), before);
    assert!(gpu.slice_cost() < 0.01 * speed, "a submission is much shorter than the display's frame");
}
