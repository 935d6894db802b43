//! Bad checkpoints and folders are rejected: the error is one line that contains the file, the exit code is
//! not 0, and no file is changed. Bad arguments and other bad files are in `tests/commands`.
//!
//! `Sandbox::rejected` runs a command that must fail and returns its error message. Its second argument is
//! the expected exit code: 2 for a mistake in the command line, 1 for anything else, such as an unusable
//! file.

use std::fs;

use crate::common::{Sandbox, contents};

#[test]
fn bad_checkpoint_is_rejected_and_left_unchanged() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 2 --out a");
    let whole = sandbox.read("a/last.safetensors");
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    // A valid safetensors file of another program: the length of its header (0x3a), the header, and one
    // float.
    let foreign =
        b"\x3a\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}    \0\0\0\0";
    let bad: [(&str, &[u8], &str); 5] = [
        ("empty", b"", "the file is empty"),
        ("text", b"hello, this is not a checkpoint at all", "not a readable safetensors file"),
        ("cut", &whole[..whole.len() - 9], "not a readable safetensors file"),
        ("flipped", &flipped, "the file is damaged"),
        ("foreign", foreign, "not written by Learnery"),
    ];
    for (name, bytes, expected) in bad {
        let file = format!("{name}.safetensors");
        sandbox.write(&file, bytes);
        // The bad file is also tried as the last checkpoint of a run folder, where `--resume` would overwrite
        // files.
        fs::create_dir(sandbox.path(name)).unwrap();
        for (from, to) in [("a/config.toml", "config.toml"), ("a/metrics.jsonl", "metrics.jsonl")] {
            fs::copy(sandbox.path(from), sandbox.path(name).join(to)).unwrap();
        }
        fs::copy(sandbox.path(&file), sandbox.path(name).join("last.safetensors")).unwrap();
        let before = contents(&sandbox.path(""));
        for args in [
            format!("eval {file}"),
            format!("train --resume {file} --units 1"),
            format!("train --resume {name} --units 1"),
            format!("export {file} --out x.safetensors"),
        ] {
            let message = sandbox.rejected(&args, 1);
            assert!(message.contains(name) && message.contains(expected), "{args}: {message}");
        }
        assert!(before == contents(&sandbox.path("")), "{name}: something was changed");
    }
}

/// As root, the test checks nothing, because root can write to any folder.
#[cfg(unix)]
#[test]
fn read_only_folder_is_rejected_and_the_error_contains_it() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("closed")).unwrap();
    // Read and enter, but not write.
    fs::set_permissions(sandbox.path("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(sandbox.path("closed/probe"), "").is_ok() {
        return;
    }
    let message = sandbox.rejected("train control --out closed/a", 1);
    assert_eq!(message, "closed/a cannot be used as a run folder: permission denied");
    let message = sandbox.rejected("train control --out closed", 1);
    assert_eq!(message, "closed/config.toml cannot be written: permission denied");
}
