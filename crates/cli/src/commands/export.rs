//! `learnery export`: writes the networks of a checkpoint for other programs, or the recipe that repeats its
//! run.

use std::path::{Path, PathBuf};

use anyhow::Result;
use learnery_lab::graph::c_header;
use learnery_lab::{Checkpoint, Entry, LabError, Recipe};

use super::model_card;
use crate::args::{ExportArgs, ExportFormat};
use crate::files::{
    checkpoint_path, file_error, read_checkpoint, refuse_existing, write_atomically, write_folder_atomically,
};
use crate::terminal::{numbers, stdout};

/// The file of the networks beside the model card.
const MODEL_FILE: &str = "model.safetensors";

pub fn export(args: &ExportArgs) -> Result<()> {
    let path = checkpoint_path(&args.checkpoint)?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    let recipe = || {
        // The file does not say which class of bits computed it: whether multiply-adds were rounded once
        // (`fused`) or twice (`plain`).
        let class = None;
        Recipe::of_checkpoint(entry, &checkpoint, class)
    };
    let in_file = |error: LabError| file_error(&path, error);
    match args.format {
        ExportFormat::Network => export_network(&path, &checkpoint, args),
        ExportFormat::Safetensors => {
            let card = model_card::model_card(entry, &checkpoint, MODEL_FILE).map_err(in_file)?;
            let files =
                [(MODEL_FILE, checkpoint.network_only().to_bytes()), ("README.md", card.into_bytes())];
            export_folder(args, "safetensors", &files)
        }
        ExportFormat::Onnx => {
            let networks = entry.onnx(&checkpoint).map_err(in_file)?;
            let files: Vec<(String, Vec<u8>)> =
                networks.into_iter().map(|(name, file)| (format!("{name}.onnx"), file)).collect();
            export_folder(args, "onnx", &files)
        }
        ExportFormat::C => {
            let text = c_header_text(entry, &checkpoint, args.out.as_deref()).map_err(in_file)?;
            write_text(args, &path, &text, "C header")
        }
        ExportFormat::Recipe => {
            let recipe = recipe().map_err(in_file)?;
            write_text(args, &path, &recipe.to_json(), "recipe")
        }
        ExportFormat::Link => {
            let link = recipe().and_then(|recipe| recipe.to_link(entry)).map_err(in_file)?;
            write_text(args, &path, &(link + "\n"), "link")
        }
    }
}

/// Writes the networks alone, in the format of checkpoints.
fn export_network(path: &Path, checkpoint: &Checkpoint, args: &ExportArgs) -> Result<()> {
    let beside = || {
        let mut path = path_beside(&args.checkpoint, "network").into_os_string();
        path.push(".safetensors");
        path.into()
    };
    let out: PathBuf = args.out.clone().unwrap_or_else(beside);
    refuse_existing(&out, "--out")?;
    let bytes = checkpoint.network_only().to_bytes();
    write_atomically(&out, &bytes)?;
    let size = numbers::si(bytes.len() as f64);
    stdout::write(&format!("The network of {} is in {} ({size}B)\n", path.display(), out.display()))
}

/// Writes a text to `--out`, or to standard output.
fn write_text(args: &ExportArgs, path: &Path, text: &str, what: &str) -> Result<()> {
    let Some(out) = &args.out else { return stdout::write(text) };
    refuse_existing(out, "--out")?;
    write_atomically(out, text.as_bytes())?;
    stdout::write(&format!("The {what} of {} is in {}\n", path.display(), out.display()))
}

/// Writes files into a new folder: `--out`, or one beside the checkpoint whose name ends in `-KIND`.
fn export_folder(args: &ExportArgs, kind: &str, files: &[(impl AsRef<str>, Vec<u8>)]) -> Result<()> {
    let out = args.out.clone().unwrap_or_else(|| path_beside(&args.checkpoint, kind));
    refuse_existing(&out, "--out")?;
    write_folder_atomically(&out, files)?;
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_ref()).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    stdout::write(&format!("{} {verb} in {}\n", names.join(" and "), out.display()))
}

/// `runs/control-0-1-onnx` for `runs/control-0-1` and the kind `onnx`.
fn path_beside(checkpoint: &Path, kind: &str) -> PathBuf {
    // A run folder can be given as `.`, which has no name.
    let checkpoint = checkpoint.canonicalize().unwrap_or_else(|_| checkpoint.to_owned());
    let name = checkpoint.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.strip_suffix(".safetensors").unwrap_or(&name);
    checkpoint.with_file_name(format!("{name}-{kind}"))
}

/// The C header, which is named like its file.
fn c_header_text(entry: &Entry, checkpoint: &Checkpoint, out: Option<&Path>) -> Result<String, LabError> {
    let name = out.and_then(Path::file_stem).map_or(entry.about.id.into(), |stem| stem.to_string_lossy());
    let graphs = entry.graphs(checkpoint)?;
    let mut lines = vec![
        format!("Networks of the lab `{}`, exported by {}.", entry.about.id, model_card::program()),
        model_card::training(entry, checkpoint),
        format!("Trained with: {}", model_card::command(entry, checkpoint)),
    ];
    lines.extend(model_card::changes(entry, checkpoint));
    c_header(&name, &lines, &graphs).map_err(LabError::Export)
}
