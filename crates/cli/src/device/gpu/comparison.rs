//! Whether a GPU that nobody asked for is likely to be faster than the CPU. Graphics cards are, by far. GPUs
//! that are integrated in a processor share its memory and its heat, and some are slower than its cores.

use std::time::Instant;

use learnery_gpu::AdapterInfo;
use learnery_kernels::peak;

/// The peak of a GPU must be this many times that of the CPU, because its kernels reach a smaller share of
/// it. Those of the language lab's presets reach 0.17 to 0.34 on an NVIDIA H200 (docs/gpu.md), and 0.6 on
/// CPUs (docs/results.md), so a GPU is surely faster only from 0.6 / 0.17 = 3.5 times the peak on.
const MIN_RATIO: f64 = 4.0;

/// Why a run that suits a GPU stays on the CPU as long as nobody asks for this GPU; `None` if the GPU is
/// likely to be faster. The peaks of multiply-adds are in floating-point operations per second. If a
/// peak is not known, only a graphics card with memory of its own is taken.
pub fn reason_for_cpu(adapter: &AdapterInfo, gpu_peak: f64, cpu_peak: f64) -> Option<String> {
    let name = &adapter.name;
    let is_known = [gpu_peak, cpu_peak].iter().all(|peak| peak.is_finite() && *peak > 0.0);
    if !is_known {
        let reason = format!("the speed of the GPU {name} could not be measured; --device gpu uses it");
        return (!adapter.discrete).then_some(reason);
    }
    let reason =
        format!("the peak of the GPU {name} is only {}; --device gpu uses it", peaks(gpu_peak, cpu_peak));
    (gpu_peak < MIN_RATIO * cpu_peak).then_some(reason)
}

/// Both peaks, as a part of a sentence.
pub fn peaks(gpu_peak: f64, cpu_peak: f64) -> String {
    format!("{:.2} TFLOP/s, that of the CPU {:.2}", gpu_peak / 1e12, cpu_peak / 1e12)
}

/// The peak of multiply-adds of all threads that train, in floating-point operations per second. Measuring it
/// takes some ten milliseconds.
pub fn cpu_peak() -> f64 {
    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64();
    peak::flops_per_second(&clock, rayon::current_num_threads(), &|work| {
        rayon::broadcast(|_| work());
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(discrete: bool) -> AdapterInfo {
        AdapterInfo {
            name: "Example 3000".into(),
            driver: String::new(),
            backend: "vulkan".into(),
            software: false,
            discrete,
            largest_binding: 1 << 27,
            timestamps: false,
            half_precision: false,
        }
    }

    #[test]
    fn fast_card_is_taken() {
        assert_eq!(reason_for_cpu(&adapter(true), 5.6e13, 2e12), None);
        // Browsers and some drivers do not tell that it is a card.
        assert_eq!(reason_for_cpu(&adapter(false), 5.6e13, 2e12), None);
    }

    #[test]
    fn integrated_gpu_is_taken_only_if_it_is_much_faster() {
        let [laptop, fast_laptop] = [4e11, 2.6e12];
        assert_eq!(
            reason_for_cpu(&adapter(false), laptop, 3e11).as_deref(),
            Some(
                "the peak of the GPU Example 3000 is only 0.40 TFLOP/s, that of the CPU 0.30; --device gpu uses it"
            )
        );
        assert!(reason_for_cpu(&adapter(false), laptop, 1e12).is_some(), "slower than the CPU");
        assert_eq!(reason_for_cpu(&adapter(false), fast_laptop, 6e11), None);
    }

    #[test]
    fn old_card_that_is_slower_than_the_cpu_is_not_taken() {
        assert!(reason_for_cpu(&adapter(true), 3e11, 1e12).is_some());
    }

    #[test]
    fn only_a_card_is_taken_without_a_measurement() {
        for [gpu, cpu] in [[f64::NAN, 1e12], [0.0, 1e12], [f64::INFINITY, 1e12], [1e12, 0.0]] {
            assert_eq!(reason_for_cpu(&adapter(true), gpu, cpu), None, "{gpu} and {cpu}");
            let reason = reason_for_cpu(&adapter(false), gpu, cpu).expect("a reason");
            assert!(reason.contains("could not be measured"), "{reason}");
        }
    }

    #[test]
    fn peak_of_this_cpu_is_measured() {
        let peak = cpu_peak();
        assert!(peak.is_finite() && peak > 1e8, "{peak}");
    }
}
