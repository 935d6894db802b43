//! How busy this machine is.

use std::time::{Duration, Instant};

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The time between two measurements.
const MEASUREMENT_INTERVAL: Duration = Duration::from_secs(2);

/// The load of this machine.
pub struct Load {
    /// `None` where the system tells nothing.
    system: Option<System>,
    last_measurement: Instant,
    /// Whether the use of the processor is known: it is counted from one measurement to the next.
    is_processor_known: bool,
}

impl Load {
    pub fn new() -> Self {
        let mut load = Self {
            system: System::new_with_specifics(RefreshKind::nothing()).ok(),
            last_measurement: Instant::now(),
            is_processor_known: false,
        };
        load.refresh();
        load
    }

    /// Measures if it is time to. Returns whether it did.
    pub fn update(&mut self) -> bool {
        let is_due = self.last_measurement.elapsed() >= MEASUREMENT_INTERVAL;
        if is_due {
            self.refresh();
            self.is_processor_known = true;
        }
        is_due
    }

    fn refresh(&mut self) {
        self.last_measurement = Instant::now();
        if let Some(system) = &mut self.system {
            system.refresh_cpu_usage();
            system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
        }
    }

    /// The load in a line.
    pub fn text(&self) -> String {
        let Some(system) = &self.system else { return String::new() };
        let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        let processor = match self.is_processor_known {
            true => format!("{:.0} %", system.global_cpu_usage()),
            false => "–".into(),
        };
        let load = System::load_average().map_or(String::new(), |load| format!(", load {:.2}", load.one));
        format!(
            "processor {processor}{load}, memory {:.1} of {:.1} GiB",
            gib(system.used_memory()),
            gib(system.total_memory())
        )
    }
}
