//! A GPU is opened and measured, and the run is moved to it, without ever waiting: each call goes as far as
//! is possible at the time.

use std::pin::Pin;
use std::task::{Context as TaskContext, Poll, Waker};

use learnery_gpu::{COMPILER_SECONDS, Gpu, GpuError, SpeedMeasurement};
use learnery_lab::{LabError, Status};

use super::Host;
use crate::protocol::{GpuInfo, Reply, ReplyTo};

/// The state of the opening of a device.
pub enum Opening {
    /// The device is being opened. It is polled without a waker, because a worker's message loop calls again.
    Device(Pin<Box<dyn Future<Output = Result<Gpu, GpuError>>>>),
    /// The device is open, and its peak of multiply-adds is being measured.
    Speed(Gpu, SpeedMeasurement),
    /// The run is to be moved. It cannot be while the device compiles the rules of its world in the background:
    /// since this time, in milliseconds.
    Moving(OpenGpu, Option<f64>),
    /// The run has been moved, and the device compiles its other kernels.
    Kernels(OpenGpu),
}

/// A device, and its measured peak of multiply-adds in floating-point operations per second.
#[derive(Clone)]
pub struct OpenGpu {
    gpu: Gpu,
    operations_per_second: f64,
}

impl OpenGpu {
    fn info(&self) -> GpuInfo {
        let info = self.gpu.info();
        let (name, software) = (info.name.clone(), info.software);
        GpuInfo { name, software, operations_per_second: self.operations_per_second }
    }

    fn is_compiling(&self) -> bool {
        self.gpu.compiles_in_background() == Some(true)
    }
}

impl Opening {
    /// Nothing happens before it is polled.
    pub fn begin(software: bool, name: String) -> Result<Self, LabError> {
        Ok(Self::Device(Box::pin(Gpu::open_named(software, name))))
    }
}

impl Host {
    /// Opens the device, measures it and moves the run to it, as far as that is possible now. Returns true
    /// once nothing of that is left to do.
    pub(super) fn open_device(&mut self, now: f64) -> bool {
        let Some((id, opening)) = self.pending.openings.pop_front() else { return true };
        let (gpu, message) = match self.advance_opening(opening, now) {
            Ok(Some(opening)) => {
                self.pending.openings.push_front((id, opening));
                return false;
            }
            Ok(None) => (self.gpu.as_ref().map(OpenGpu::info), None),
            Err(message) => (None, Some(message)),
        };
        // It is no news that a run has returned to its device.
        if id.is_some() || gpu.is_none() {
            self.queued_replies
                .push_back(ReplyTo { id, reply: Reply::Device { gpu, message, failed: false } });
        }
        !self.pending.opens_device()
    }

    /// Does the work of [`Host::open_device`]. Returns what is left to do; `None` once the run computes on the
    /// device.
    fn advance_opening(&mut self, mut opening: Opening, now: f64) -> Result<Option<Opening>, String> {
        let to_sentence = |error: GpuError| error.to_string();
        if let Opening::Device(device) = &mut opening {
            let mut context = TaskContext::from_waker(Waker::noop());
            let Poll::Ready(opened) = device.as_mut().poll(&mut context) else { return Ok(Some(opening)) };
            let gpu = opened.map_err(to_sentence)?;
            if let Some(worker) = self.worker {
                gpu.on_progress(worker.wake);
                gpu.set_clock(worker.clock);
                gpu.set_background_compiler(worker.is_compiling);
            }
            let measurement = SpeedMeasurement::new(&gpu).map_err(to_sentence)?;
            opening = Opening::Speed(gpu, measurement);
        }
        if let Opening::Speed(gpu, measurement) = &mut opening {
            let Some(speed) = measurement.poll(now / 1000.0).map_err(to_sentence)? else {
                return Ok(Some(opening));
            };
            let open = OpenGpu { gpu: gpu.clone(), operations_per_second: speed };
            opening = Opening::Moving(open, None);
        }
        if let Opening::Moving(open, since) = &mut opening {
            if open.is_compiling() || !self.move_to(&open.gpu)? {
                open.gpu.in_flight().map_err(to_sentence)?; // or the device has failed meanwhile
                if !open.is_compiling() {
                    // The run's state is being fetched from the device that it leaves.
                    return Ok(Some(opening));
                }
                let waited_ms = now - *since.get_or_insert(now);
                return match is_slow(waited_ms, open.gpu.info().software) {
                    true => Err(GpuError::SlowCompiler(COMPILER_SECONDS).to_string()),
                    false => Ok(Some(opening)),
                };
            }
            // An empty submission, which is finished once the device has compiled the kernels.
            open.gpu.submit_nothing();
            opening = Opening::Kernels(open.clone());
        }
        let Opening::Kernels(open) = &opening else { return Ok(Some(opening)) };
        // Kernels and buffers that could not be made are reported only now.
        if open.gpu.in_flight().map_err(to_sentence)? > 0 {
            return Ok(Some(opening));
        }
        self.gpu = Some(open.clone());
        Ok(None)
    }

    /// Moves the run to the device. Returns whether that was possible: not while the state of the run is being
    /// fetched from its device, and not while the rules of its world are being compiled.
    fn move_to(&mut self, gpu: &Gpu) -> Result<bool, String> {
        let session = self.session.as_mut().ok_or("no run is open")?;
        if session.is_mid_unit() {
            return Err("a run can be moved to a GPU only between two units".into());
        }
        match session.prepare_save() {
            Status::Waiting => return Ok(false),
            Status::Failed => return Err(session.failure().unwrap_or_default()),
            Status::Ready | Status::UnitFinished => {}
        }
        match session.use_gpu(gpu, session.gpu_precision()) {
            Ok(()) => Ok(true),
            Err(LabError::Compiling) => Ok(false),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Lets the run return to its device, which it has left if it has been given rules that have to be
    /// compiled first.
    pub(super) fn return_to_device(&mut self) {
        let compiling = |open: &&OpenGpu| open.is_compiling();
        match self.pending.openings.front_mut() {
            None => {
                let device = self.gpu.as_ref().filter(compiling);
                let openings = &mut self.pending.openings;
                openings.extend(device.map(|open| (None, Opening::Moving(open.clone(), None))));
            }
            Some((_, opening)) => {
                if let Opening::Moving(open, _) | Opening::Kernels(open) = &*opening
                    && open.is_compiling()
                {
                    *opening = Opening::Moving(open.clone(), None);
                }
                // Otherwise the run will be moved to a device that is being opened.
            }
        }
    }
}

/// Whether a compilation has taken too long. A software adapter is not expected to be fast.
fn is_slow(waited_ms: f64, software: bool) -> bool {
    !software && waited_ms > 1000.0 * COMPILER_SECONDS as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_of_hardware_has_ten_seconds() {
        assert_eq!([9_999.0, 10_001.0].map(|waited| is_slow(waited, false)), [false, true]);
        assert!(!is_slow(60_000.0, true), "a software adapter has as long as it needs");
    }
}
