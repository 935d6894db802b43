//! Warnings for the teacher who runs `learnery class` about the dates of its HTTPS certificate.

use std::time::{Duration, SystemTime};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The teacher is warned this long before the certificate expires, so that there is time to get another one.
const WARNED_BEFORE: Duration = DAY.saturating_mul(7);

/// Whether a certificate has expired or soon will, or is not valid yet; empty if nothing has to be said.
/// `validity` is its first and its last valid moment; `None` if its dates cannot be read.
pub fn notes(validity: Option<(SystemTime, SystemTime)>, now: SystemTime) -> String {
    const RENEW: &str = "Get a new one, and start this program again (see docs/class.md).";
    let Some((from, until)) = validity else {
        return "The dates of the certificate cannot be read, so browsers may refuse it.\n".to_owned();
    };
    if let Ok(ago) = now.duration_since(until)
        && !ago.is_zero()
    {
        return format!("The certificate expired {} ago, so browsers warn.\n{RENEW}\n", span(ago));
    }
    if let Ok(left) = from.duration_since(now)
        && !left.is_zero()
    {
        return format!(
            "The certificate becomes valid only in {}, so browsers warn now.\n\
             Or the clock of this machine is wrong.\n",
            span(left)
        );
    }
    match until.duration_since(now) {
        Ok(left) if left <= WARNED_BEFORE => {
            format!("The certificate expires in {}; browsers will warn then.\n{RENEW}\n", span(left))
        }
        _ => String::new(),
    }
}

/// A time in whole days or hours, rounded down.
fn span(time: Duration) -> String {
    let hours = time.as_secs() / 3600;
    match hours {
        0 => "less than an hour".to_owned(),
        1 => "1 hour".to_owned(),
        2..48 => format!("{hours} hours"),
        _ => format!("{} days", hours / 24),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::UNIX_EPOCH;

    use learnery_class::Certificate;

    use super::*;

    #[test]
    fn certificate_that_has_expired_or_soon_will_is_told_of() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../class/tests/certificates");
        let certificate = Certificate::read(&folder.join("room.pem"), &folder.join("room-key.pem")).unwrap();
        let validity = certificate.validity();
        // It is valid from the beginning of 2024 to the beginning of 2124.
        let (from, until) = (Duration::from_secs(1_704_067_200), Duration::from_secs(4_859_740_800));
        assert_eq!(validity, Some((UNIX_EPOCH + from, UNIX_EPOCH + until)));
        let hour = Duration::from_secs(3600);
        for (now, said) in [
            (from, ""),
            (until - WARNED_BEFORE - hour, ""),
            (until - WARNED_BEFORE, "expires in 7 days"),
            (until - hour * 49, "expires in 2 days"),
            (until - hour * 47, "expires in 47 hours"),
            (until - hour, "expires in 1 hour;"),
            (until, "expires in less than an hour"),
            (until + hour / 2, "expired less than an hour ago"),
            (until + DAY * 400, "expired 400 days ago"),
            (from - DAY * 3, "becomes valid only in 3 days"),
        ] {
            let text = notes(validity, UNIX_EPOCH + now);
            assert_eq!(text.is_empty(), said.is_empty(), "{text}");
            assert!(text.contains(said), "{said}: {text}");
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        }
        assert!(notes(None, UNIX_EPOCH).contains("cannot be read"));
    }
}
