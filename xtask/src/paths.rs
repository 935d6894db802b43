//! Where things are, and running other programs from there.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a program to its end; its failure is an error that shows what it said.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start `{name}`"))?;
    ensure!(status.success(), "`{name}` failed ({status})");
    Ok(())
}

/// Runs a program and gives back what it wrote to standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start `{name}`"))?;
    ensure!(output.status.success(), "`{name}` failed ({})", output.status);
    String::from_utf8(output.stdout).with_context(|| format!("`{name}` did not write text"))
}
