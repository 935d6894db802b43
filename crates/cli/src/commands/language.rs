//! `learnery language`: writes text with a network; and reads the text file that `train --text` names.

use std::time::Instant;

use anyhow::{Result, anyhow};
use learnery_lab::{Entry, NamedText, Session};
use learnery_labs::language::{
    Language, Network, SamplingOptions, TextGenerator, Utf8Decoder, check_text, sampling_stream,
    with_spinning_threads,
};
use serde_json::json;

use crate::args::{LanguageArgs, LanguageCommand, LanguageSampleArgs, TrainArgs};
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint, read_text};
use crate::terminal::stdout;
use crate::threads;

/// The preset for a text of the user, if no other is given.
const TEXT_PRESET: &str = "text";

pub fn language(args: &LanguageArgs) -> Result<()> {
    match &args.command {
        LanguageCommand::Sample(args) => sample(args),
    }
}

/// The preset: the one given by name, or that for a text.
pub fn preset(args: &TrainArgs) -> Option<&str> {
    args.preset.as_deref().or_else(|| args.text.as_ref().map(|_| TEXT_PRESET))
}

/// The text of `--text`, read and checked.
pub fn training_text(entry: &Entry, args: &TrainArgs) -> Result<Option<NamedText>> {
    let Some(path) = &args.text else { return Ok(None) };
    if entry.about.id != Entry::of::<Language>().about.id {
        return Err(usage(format!("the lab `{}` reads no text; --text is for `language`", entry.about.id)));
    }
    let text = read_text(path)?;
    check_text(&text).map_err(|e| anyhow!("{e}"))?;
    Ok(Some(text))
}

/// Gives the text to the run.
pub fn set_text(session: &mut Session, text: Option<NamedText>) -> Result<()> {
    let Some(NamedText { name, bytes }) = text else { return Ok(()) };
    // It has been checked to be UTF-8.
    let text = String::from_utf8_lossy(&bytes);
    session
        .apply(json!({ "type": "text", "name": name, "text": text }))
        .map_err(|e| usage(format!("{name}: {e}")))
}

/// `learnery language sample`.
fn sample(args: &LanguageSampleArgs) -> Result<()> {
    threads::start_pool(None)?;
    if !(0.0..=100.0).contains(&args.temperature) {
        return Err(usage(format!("--temperature {}: expected 0 to 100", args.temperature)));
    }
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = Network::from_checkpoint(&checkpoint).map_err(|e| file_error(&path, e))?;
    let prompt = network.encode(&args.prompt).map_err(usage)?;
    // All threads work on each token.
    with_spinning_threads(|| write(args, &network, &prompt))
}

/// Continues the prompt, and prints every token as it is written.
fn write(args: &LanguageSampleArgs, network: &Network, prompt: &[u16]) -> Result<()> {
    let end = network.end_of_answer();
    let options = SamplingOptions { temperature: args.temperature, top_k: args.top_k as usize };
    let (mut generator, mut decoder) = (TextGenerator::new(network), Utf8Decoder::default());
    generator.start(network, prompt);
    let mut text = args.prompt.clone();
    if !args.json {
        stdout::write(&text)?;
    }
    let begin = Instant::now();
    let mut written = 0;
    for _ in 0..args.tokens {
        let token = generator.next_token(network, options, sampling_stream(args.seed), 0);
        written += 1;
        if Some(token) == end {
            break;
        }
        let piece = decoder.push(network.tokenizer.piece(token));
        if args.json {
            text.push_str(&piece);
        } else {
            stdout::write(&piece)?;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    if !args.json {
        return stdout::write(&format!("{}\n", decoder.finish()));
    }
    text.push_str(decoder.finish());
    stdout::write_json(&json!({
        "prompt": args.prompt,
        "text": text,
        "tokens": written,
        "temperature": args.temperature,
        "topK": args.top_k,
        "seed": args.seed,
        "tokensPerSecond": f64::from(written) / seconds,
    }))
}
