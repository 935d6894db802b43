//! A GPU is opened and measured, and the run is moved to it, without ever waiting: each call goes as far as
//! is possible at the time.

use std::pin::Pin;
use std::task::{Context as TaskContext, Poll, Waker};

use learnery_gpu::{COMPILER_SECONDS, Gpu, GpuError, SpeedMeasurement};
use learnery_lab::LabError;

use super::Host;
use crate::protocol::{GpuInfo, Reply, ReplyTo};

/// The state of the opening of a device.
pub enum Opening {
    /// The device is being opened. It is polled without a waker, because a worker's message loop calls again.
    Device(Pin<Box<dyn Future<Output = Result<Gpu, GpuError>>>>),
    /// The device is open, and its peak of multiply-adds is being measured.
    Speed(Gpu, SpeedMeasurement),
    /// The run is to be moved. It cannot be while the device compiles the rules of its world in the
    /// background, which was first seen at this time, in milliseconds.
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
    pub fn begin(software: bool, name: String) -> Result<Self, LabError> {
        Ok(Self::Device(Box::pin(Gpu::open_named(software, name))))
    }
}

impl Host {
    /// Opens the device, measures it and moves the run to it, as far as that is possible now. Returns true
    /// once nothing of that is left to do.
    pub(super) fn open_device(&mut self, now: f64) -> bool {
        let (gpu, message) = match self.try_open_device(now) {
            Ok(false) => return self.pending.opening.is_none(),
            Ok(true) => (self.gpu.as_ref().map(OpenGpu::info), None),
            Err(message) => (None, Some(message)),
        };
        self.pending.opening = None;
        let id = self.pending.opening_id.take();
        // It is no news that a run has returned to its device.
        if id.is_some() || gpu.is_none() {
            self.queued_replies
                .push_back(ReplyTo { id, reply: Reply::Device { gpu, message, failed: false } });
        }
        true
    }

    /// Does the work of [`Host::open_device`]. Returns true once the run computes on the device.
    fn try_open_device(&mut self, now: f64) -> Result<bool, String> {
        let to_sentence = |error: GpuError| error.to_string();
        if let Some(Opening::Device(opening)) = &mut self.pending.opening {
            let mut context = TaskContext::from_waker(Waker::noop());
            let Poll::Ready(opened) = opening.as_mut().poll(&mut context) else { return Ok(false) };
            let gpu = opened.map_err(to_sentence)?;
            if let Some(worker) = self.worker {
                gpu.on_progress(worker.wake);
                gpu.set_clock(worker.clock);
                gpu.set_background_compiler(worker.is_compiling);
            }
            let measurement = SpeedMeasurement::new(&gpu).map_err(to_sentence)?;
            self.pending.opening = Some(Opening::Speed(gpu, measurement));
        }
        if let Some(Opening::Speed(gpu, measurement)) = &mut self.pending.opening {
            let Some(speed) = measurement.poll(now / 1000.0).map_err(to_sentence)? else { return Ok(false) };
            let open = OpenGpu { gpu: gpu.clone(), operations_per_second: speed };
            self.pending.opening = Some(Opening::Moving(open, None));
        }
        if let Some(Opening::Moving(open, since)) = &mut self.pending.opening {
            let since = *since.get_or_insert(now);
            let open = open.clone();
            let is_moved = !open.is_compiling() && self.move_to(&open.gpu)?;
            if !is_moved {
                open.gpu.in_flight().map_err(to_sentence)?;
                // A software adapter is not expected to be fast.
                let is_slow = !open.gpu.info().software && now - since > 1000.0 * COMPILER_SECONDS as f64;
                return if is_slow {
                    Err(GpuError::SlowCompiler(COMPILER_SECONDS).to_string())
                } else {
                    Ok(false)
                };
            }
            // An empty submission, which is finished once the device has compiled the kernels.
            open.gpu.submit_nothing();
            self.pending.opening = Some(Opening::Kernels(open));
        }
        let Some(Opening::Kernels(open)) = &self.pending.opening else { return Ok(false) };
        // Kernels and buffers that could not be made are reported only now.
        if open.gpu.in_flight().map_err(to_sentence)? > 0 {
            return Ok(false);
        }
        self.gpu = Some(open.clone());
        Ok(true)
    }

    /// Moves the run to the device. Returns whether that was possible: not while rules are being compiled.
    fn move_to(&mut self, gpu: &Gpu) -> Result<bool, String> {
        let session = self.session.as_mut().ok_or("no run is open")?;
        if session.is_mid_unit() {
            return Err("a run can be moved to a GPU only between two units".into());
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
        let open = match &self.pending.opening {
            None => self.gpu.as_ref(),
            Some(Opening::Moving(open, _) | Opening::Kernels(open)) => Some(open),
            // The run will be moved to a device that is being opened.
            Some(Opening::Device(_) | Opening::Speed(..)) => None,
        };
        if let Some(open) = open.filter(|open| open.is_compiling()) {
            self.pending.opening = Some(Opening::Moving(open.clone(), None));
        }
    }
}
