//! A GPU is opened and measured, and the run is moved to it, without ever waiting: each call goes as far as
//! is possible at the time.

use std::pin::Pin;
use std::task::{Context as TaskContext, Poll, Waker};

use learnery_gpu::{Gpu, GpuError, SpeedMeasurement};
use learnery_lab::LabError;

use super::Host;
use crate::protocol::{GpuInfo, Reply, ReplyTo};

/// The state of the opening of a device.
pub enum Opening {
    /// The device is being opened. It is polled without a waker, because a worker's message loop calls again.
    Device(Pin<Box<dyn Future<Output = Result<Gpu, GpuError>>>>),
    /// The device is open, and its peak of multiply-adds is being measured.
    Speed(Gpu, SpeedMeasurement),
    /// The run has been moved, and the device compiles its kernels.
    Kernels(Gpu, GpuInfo),
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
            Ok(None) => return self.pending.opening.is_none(),
            Ok(Some(info)) => (Some(info), None),
            Err(message) => (None, Some(message)),
        };
        self.pending.opening = None;
        let reply = Reply::Device { gpu, message, failed: false };
        self.queued_replies.push_back(ReplyTo::request(self.pending.opening_id, reply));
        true
    }

    /// Does the work of [`Host::open_device`]. Returns the device once the run computes on it.
    fn try_open_device(&mut self, now: f64) -> Result<Option<GpuInfo>, String> {
        let to_sentence = |error: GpuError| error.to_string();
        if let Some(Opening::Device(opening)) = &mut self.pending.opening {
            let mut context = TaskContext::from_waker(Waker::noop());
            let Poll::Ready(opened) = opening.as_mut().poll(&mut context) else { return Ok(None) };
            let gpu = opened.map_err(to_sentence)?;
            if let Some(worker) = self.worker {
                gpu.on_progress(worker.wake);
                gpu.set_clock(worker.clock);
            }
            let measurement = SpeedMeasurement::new(&gpu).map_err(to_sentence)?;
            self.pending.opening = Some(Opening::Speed(gpu, measurement));
        }
        if let Some(Opening::Speed(gpu, measurement)) = &mut self.pending.opening {
            let Some(speed) = measurement.poll(now / 1000.0).map_err(to_sentence)? else { return Ok(None) };
            let gpu = gpu.clone();
            let info = self.move_to(&gpu, speed)?;
            // An empty submission, which is finished once the device has compiled the kernels.
            gpu.submit_nothing();
            self.pending.opening = Some(Opening::Kernels(gpu, info));
        }
        let Some(Opening::Kernels(gpu, info)) = &self.pending.opening else { return Ok(None) };
        // Kernels and buffers that could not be made are reported only now.
        Ok((gpu.in_flight().map_err(to_sentence)? == 0).then(|| info.clone()))
    }

    fn move_to(&mut self, gpu: &Gpu, operations_per_second: f64) -> Result<GpuInfo, String> {
        let session = self.session.as_mut().ok_or("no run is open")?;
        if session.is_mid_unit() {
            return Err("a run can be moved to a GPU only between two units".into());
        }
        session.use_gpu(gpu, session.gpu_precision()).map_err(|e| e.to_string())?;
        let info = gpu.info();
        Ok(GpuInfo { name: info.name.clone(), software: info.software, operations_per_second })
    }
}
