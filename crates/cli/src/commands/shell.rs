//! `learnery completions` and `learnery man`: what makes an installed program at home in a shell. Both are
//! made from the description of the commands that also parses the arguments.

use std::fs;

use anyhow::{Result, anyhow};

use crate::args::{CompletionsArgs, ManArgs};
use crate::commands::eval_options::program;
use crate::failure::io_reason;
use crate::terminal::{stderr, stdout};

const PROGRAM_NAME: &str = "learnery";

/// Writes a script that makes a shell complete commands, options and their values.
pub fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program(), PROGRAM_NAME, &mut script);
    stdout::write(&String::from_utf8(script)?)
}

/// Writes the page of the program, or with `--out` a page for each command.
pub fn man(args: &ManArgs) -> Result<()> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(program()).render(&mut page)?;
        return stdout::write(&String::from_utf8(page)?);
    };
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(program(), folder))
        .map_err(|e| anyhow!("{} cannot be written: {}", folder.display(), io_reason(&e)))?;
    stderr::write(&format!("Wrote the pages into {}\n", folder.display()));
    Ok(())
}
