//! What is refused, in one sentence that says what to do. Bad arguments are in `tests/commands/with-fleet`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use learnery_fleet::wire::Link;

use crate::common::{Finished, Sandbox};
use crate::fleet::{Fleet, SETTINGS};
use crate::needs_server;

/// A server that only says its version.
fn with_server_of_version(sandbox: &Sandbox, version: &str, args: &str) -> Finished {
    let program = sandbox.path("nats-server");
    sandbox.write("nats-server", format!("#!/bin/sh\necho 'nats-server: v{version}'\n"));
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = sandbox.command(args);
    Finished::from(command.env("PATH", program.parent().unwrap()).output().unwrap())
}

#[test]
fn old_servers_must_not_be_reached_from_other_machines() {
    let sandbox = Sandbox::new();
    let serve = format!("fleet serve backgammon {SETTINGS} --host 0.0.0.0 --out");
    for version in ["2.9.10", "2.11.14", "2.12.5"] {
        let refused = with_server_of_version(&sandbox, version, &format!("{serve} {version}"));
        assert_eq!(refused.code, Some(1));
        assert!(refused.err.contains("CVE-2026-27889") && refused.err.contains(version), "{}", refused.err);
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
    }
    // This one would be new enough, if it were a server.
    let ended = with_server_of_version(&sandbox, "2.12.6", &format!("{serve} new"));
    assert!(ended.err.contains("nats-server cannot be started"), "{}", ended.err);
}

#[test]
fn other_bits_are_told_what_to_do_and_a_second_server_gets_no_port() {
    needs_server!();
    let fleet = Fleet::serve("");
    let (ours, others) = match fleet.bits().as_str() {
        "fused" => ("fused", "plain"),
        _ => ("plain", "fused"),
    };
    if others == "plain" {
        let (code, err) = fleet.join_with("--threads 1 --bits plain").end();
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains(&format!("this fleet computes {ours} bits, and this machine plain")), "{err}");
    }
    let wrong = Link { key: "0".repeat(32), ..fleet.link() };
    let message = fleet.sandbox.rejected(&format!("fleet join {wrong}"), 1);
    assert!(message.contains("refuses the password"), "{message}");
    let link = fleet.link();
    let taken = format!("fleet serve backgammon {SETTINGS} --out other --port {} --web-port 1", link.port);
    let message = fleet.sandbox.rejected(&taken, 1);
    assert!(message.contains("is in use by another program"), "{message}");
    // Somebody else's server has to know the fleet's users.
    let foreign =
        format!("fleet serve backgammon {SETTINGS} --out foreign --nats nats://127.0.0.1:{}", link.port);
    let message = fleet.sandbox.rejected(&foreign, 1);
    assert!(message.contains("has to include") && message.contains("users.conf"), "{message}");
    assert!(fleet.sandbox.path("foreign/fleet/users.conf").exists());
}
