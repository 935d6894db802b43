//! Limits the animation's share of the worker's time.

/// The fraction of the worker's time that advancing the animation may take. With more, a GPU would run out of
/// submitted work and wait for the worker; less would make the picture slower for nothing.
const MAX_SHARE: f64 = 0.2;

/// After an advance of the animation that took t, the next may begin `t / MAX_SHARE` after the beginning of
/// the last one. It is asked only while a GPU trains at full speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnimationLimit {
    allowed_from_ms: f64,
}

impl AnimationLimit {
    /// Whether the animation may advance.
    pub fn allows(self, now_ms: f64) -> bool {
        now_ms >= self.allowed_from_ms
    }

    /// Notes when an advance began and ended, by the same clock as [`AnimationLimit::allows`].
    pub fn record(&mut self, begin_ms: f64, end_ms: f64) {
        self.allowed_from_ms = begin_ms + (end_ms - begin_ms) / MAX_SHARE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates ten seconds, in which a view follows 1/60 s after the end of the one before, and the
    /// animation takes `cost_ms` each time that it advances. Returns its share of the time, and how often it
    /// advanced.
    fn animate(cost_ms: f64) -> (f64, u32) {
        let (mut limit, mut now, mut spent, mut advances) = (AnimationLimit::default(), 0.0, 0.0, 0);
        while now < 10_000.0 {
            if limit.allows(now) {
                limit.record(now, now + cost_ms);
                spent += cost_ms;
                now += cost_ms;
                advances += 1;
            }
            now += 1000.0 / 60.0;
        }
        (spent / now, advances)
    }

    #[test]
    fn cheap_animation_advances_with_every_view() {
        // Up to 1/60 s * MAX_SHARE / (1 - MAX_SHARE), which is 4.2 ms.
        for cost_ms in [1.0, 3.0] {
            let views = (10_000.0 / (1000.0 / 60.0 + cost_ms)) as u32;
            assert!(animate(cost_ms).1 >= views, "{cost_ms} ms");
        }
    }

    #[test]
    fn expensive_animation_takes_no_more_than_its_share() {
        for cost_ms in [5.0, 17.0, 200.0] {
            let (share, advances) = animate(cost_ms);
            // The last advance may end after the ten seconds, which is most for the one of 200 ms.
            assert!(share <= MAX_SHARE + 0.02, "{cost_ms} ms: {share}");
            assert!(advances >= 10, "{cost_ms} ms: {advances}");
        }
    }
}
