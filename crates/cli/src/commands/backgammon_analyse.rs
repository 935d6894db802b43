//! `learnery backgammon analyse`: judges every decision of matches that were played.

use std::path::{Path, PathBuf};

use anyhow::Result;
use learnery_backgammon_play::analysis::MAX_FILE_BYTES;
use learnery_lab::{Job, NamedText};
use learnery_labs::backgammon::{Analyse, AnalyseInput, AnalyseOutput};

use super::ask::{self, Source, refused};
use crate::args::BackgammonAnalyseArgs;
use crate::failure::usage;
use crate::files::{
    check_new_file, read_text_up_to, refuse_existing, write_atomically, write_folder_atomically,
};
use crate::run::stop::StopSignal;
use crate::terminal::{numbers, stderr, stdout};
use crate::threads;

pub fn analyse(args: &BackgammonAnalyseArgs) -> Result<()> {
    // Nothing is computed that could not be written at the end.
    let check = |path: &Option<PathBuf>, option: &str| {
        path.as_deref().map(|path| check_new_file(path, option)).transpose()
    };
    let (json, out) = (check(&args.json, "--json")?, check(&args.out, "--out")?);
    if json.is_some() && json == out {
        return Err(usage("--json and --out name the same file"));
    }
    let names = names_of(&args.files);
    if out.is_some() {
        refuse_namesakes(&args.files, &names)?;
    }
    let input = args.inputs.input()?;
    let source = Source::read(&args.network.checkpoint)?;
    let (mut job, decisions) = check_files(&source, &input, &args.files)?;
    threads::start_pool(args.threads)?;
    let stop = StopSignal::listen()?;
    let all = numbers::count_of(decisions, "decision");
    stderr::write(&format!("Judges {all}. Ctrl-C ends the analysis; what is judged by then is written.\n"));

    let (mut analyses, mut printed) = (Vec::new(), Ok(()));
    for (path, name) in args.files.iter().zip(&names) {
        begin(&source, &mut job, &input, path)?;
        let note = if args.files.len() > 1 { format!(", {}", path.display()) } else { String::new() };
        let outcome = ask::finish(&mut job, &stop, None, &mut |_, _| Some(note.clone()));
        if stop.requested() || analyses.len() + 1 == args.files.len() {
            // The process may no longer be ended while the results are written.
            stop.begin_saving();
        }
        let outcome = outcome.map_err(|error| refused(error, Some(&source.path)))?;
        let Some(answer) = outcome.output().cloned() else { break };
        let heading = match (args.files.len(), analyses.len()) {
            (1, _) => String::new(),
            (_, 0) => format!("{}\n", path.display()),
            _ => format!("\n{}\n", path.display()),
        };
        printed = printed.and(stdout::write(&format!("{heading}{}", answer.text)));
        analyses.push((name, answer));
        if outcome.is_partial() {
            break;
        }
    }
    // Everything is written that can be. Errors of the files come before that of standard output, which is
    // none if its reader has closed it.
    let json = write_json(args.json.as_deref(), &analyses);
    let out = write_matches(args.out.as_deref(), &analyses, args.files.len() > 1);
    json.and(out).and(printed)
}

/// The names of the annotated matches in the folder of `--out`.
fn names_of(files: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| format!("{}.mat", path.file_stem().unwrap_or_default().to_string_lossy());
    files.iter().map(name).collect()
}

/// Returns an error if two files would have the same name in the folder of `--out`.
fn refuse_namesakes(files: &[PathBuf], names: &[String]) -> Result<()> {
    match (0..names.len()).find(|i| names[..*i].contains(&names[*i])) {
        Some(i) => {
            let (file, name) = (files[i].display(), &names[i]);
            Err(usage(format!("{file}: another file would be {name} in the folder of --out too")))
        }
        None => Ok(()),
    }
}

/// Reads all files, so that none is refused after hours of work. Returns a job, and the number of decisions
/// in all files.
fn check_files(source: &Source, input: &AnalyseInput, files: &[PathBuf]) -> Result<(Job<Analyse>, u64)> {
    let [first, others @ ..] = files else { return Err(usage("expected the file of a match")) };
    let (first_input, content) = question(input, first)?;
    let mut job = source.begin_with_file::<Analyse>(first_input, content)?;
    let decisions_of = |job: &Job<Analyse>| job.partial().map_or(0, |answer| u64::from(answer.decisions));
    let mut decisions = decisions_of(&job);
    for path in others {
        begin(source, &mut job, input, path)?;
        decisions += decisions_of(&job);
    }
    Ok((job, decisions))
}

/// Begins the analysis of a file with the same job.
fn begin(source: &Source, job: &mut Job<Analyse>, input: &AnalyseInput, path: &Path) -> Result<()> {
    let (input, content) = question(input, path)?;
    job.ask_again(input, Some(content)).map_err(|error| refused(error, Some(&source.path)))
}

/// The input of the tool for a file, with the file's content.
fn question(input: &AnalyseInput, path: &Path) -> Result<(AnalyseInput, NamedText)> {
    let content = read_text_up_to(path, MAX_FILE_BYTES)?;
    Ok((AnalyseInput { file: content.name.clone(), ..input.clone() }, content))
}

/// Writes a line of JSON for each match.
fn write_json(path: Option<&Path>, analyses: &[(&String, AnalyseOutput)]) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    refuse_existing(path, "--json")?;
    let text: String = analyses.iter().map(|(_, answer)| format!("{}\n", answer.analysis)).collect();
    write_atomically(path, text.as_bytes())
}

/// Writes the annotated match, or a folder of them.
fn write_matches(path: Option<&Path>, analyses: &[(&String, AnalyseOutput)], is_folder: bool) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    refuse_existing(path, "--out")?;
    if is_folder {
        let files: Vec<(&String, Vec<u8>)> =
            analyses.iter().map(|(name, answer)| (*name, answer.mat.clone().into_bytes())).collect();
        return write_folder_atomically(path, &files);
    }
    analyses.iter().try_for_each(|(_, answer)| write_atomically(path, answer.mat.as_bytes()))
}
