//! The end of a fleet: the host tells its actors, the threads that compute for it, that the run is complete.

use std::time::{Duration, Instant};

use super::connection::MAX_RECONNECT_DELAY;
use super::gauges::Gauges;
use super::hub::{Hub, HubEvent};
use crate::message::{FromActor, ToActor};

/// How long the host waits for actors that have not left. One whose connection was lost comes back within
/// this time.
const LONGEST_WAIT: Duration = MAX_RECONNECT_DELAY.saturating_add(Duration::from_secs(1));
/// The longest sleep between two looks at the clock.
const MAX_SLEEP: Duration = Duration::from_millis(50);

/// Tells all actors that the run is complete, and waits until they have left. Those that come back meanwhile
/// are told too. After a host has begun, actors of an earlier one may still be on their way.
pub fn tell_complete(hub: &mut Hub, gauges: &mut Gauges, host_began_at: Instant) {
    let completed_at = Instant::now();
    hub.send_to_all(&ToActor::Complete);
    hub.flush();
    while completed_at.elapsed() < LONGEST_WAIT
        && (gauges.has_actors() || host_began_at.elapsed() < LONGEST_WAIT)
    {
        match hub.next(MAX_SLEEP) {
            Some(HubEvent::Message { actor, message: FromActor::Leave, .. }) => gauges.left(&actor),
            Some(HubEvent::Message { actor, .. }) => hub.send(&actor.to_string(), &ToActor::Complete),
            Some(HubEvent::Restored) => hub.send_to_all(&ToActor::Complete),
            Some(HubEvent::Refused(_)) | None => {}
        }
    }
    hub.flush();
}
