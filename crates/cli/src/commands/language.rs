//! `learnery language sample`: generates text with a network of the language lab.
//!
//! Also contains what `learnery train` needs for this lab only: the option `--text FILE`, which trains on a text file
//! of the user.

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

/// The preset that `train --text FILE` uses unless `--preset` is given.
const TEXT_PRESET: &str = "text";

/// Which text of the random-number stream to generate. The stream numbers the texts that share a seed; the command
/// generates one.
const TEXT_INDEX: u64 = 0;

/// The allowed values of `--temperature`.
const TEMPERATURES: std::ops::RangeInclusive<f32> = 0.0..=100.0;

pub fn language(args: &LanguageArgs) -> Result<()> {
    match &args.command {
        LanguageCommand::Sample(args) => sample(args),
    }
}

/// The name of the preset to start from: that of `--preset`, otherwise `text` if `--text` is given, otherwise `None`.
pub fn preset(args: &TrainArgs) -> Option<&str> {
    args.preset.as_deref().or_else(|| args.text.as_ref().map(|_| TEXT_PRESET))
}

/// Reads the file of `--text` and checks that it can be trained on. Returns `None` without `--text`.
pub fn training_text(entry: &Entry, args: &TrainArgs) -> Result<Option<NamedText>> {
    let Some(path) = &args.text else { return Ok(None) };
    if entry.about.id != Entry::of::<Language>().about.id {
        return Err(usage(format!("the lab `{}` reads no text; --text is for `language`", entry.about.id)));
    }
    let text = read_text(path)?;
    check_text(&text).map_err(|e| anyhow!("{e}"))?;
    Ok(Some(text))
}

/// Makes the run train on the text that [`training_text`] has read; does nothing without one.
pub fn set_text(session: &mut Session, text: Option<NamedText>) -> Result<()> {
    let Some(NamedText { name, bytes }) = text else { return Ok(()) };
    // `training_text` has checked that the bytes are UTF-8, so nothing is lost here.
    let text = String::from_utf8_lossy(&bytes);
    session
        .apply(json!({ "type": "text", "name": name, "text": text }))
        .map_err(|e| usage(format!("{name}: {e}")))
}

/// `learnery language sample`.
fn sample(args: &LanguageSampleArgs) -> Result<()> {
    let all_threads = None;
    threads::start_pool(all_threads)?;
    if !TEMPERATURES.contains(&args.temperature) {
        return Err(usage(format!("--temperature {}: expected 0 to 100", args.temperature)));
    }
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = Network::from_checkpoint(&checkpoint).map_err(|e| file_error(&path, e))?;
    let prompt = network.encode(&args.prompt).map_err(usage)?;
    // All threads compute each token together, in matrix products of a few microseconds. Waking a sleeping thread takes
    // longer than that, so the threads poll for work (spin) instead of sleeping.
    with_spinning_threads(|| generate(args, &network, &prompt))
}

/// Continues the prompt token by token. Prints each token as soon as it is generated, or with `--json` one object at
/// the end.
fn generate(args: &LanguageSampleArgs, network: &Network, prompt: &[u16]) -> Result<()> {
    // The token that ends an answer; `None` for networks that were trained on stories or a text.
    let end_token = network.end_of_answer();
    let options = SamplingOptions { temperature: args.temperature, top_k: args.top_k as usize };
    let (mut generator, mut decoder) = (TextGenerator::new(network), Utf8Decoder::default());
    generator.start(network, prompt);
    let mut text = args.prompt.clone();
    if !args.json {
        stdout::write(&text)?;
    }
    let begin = Instant::now();
    let mut tokens = 0;
    for _ in 0..args.tokens {
        let token = generator.next_token(network, options, sampling_stream(args.seed), TEXT_INDEX);
        tokens += 1;
        if Some(token) == end_token {
            break;
        }
        // A token may end in the middle of a UTF-8 character. The decoder holds such bytes back until the character is
        // complete.
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
        "tokens": tokens,
        "temperature": args.temperature,
        "topK": args.top_k,
        "seed": args.seed,
        "tokensPerSecond": f64::from(tokens) / seconds,
    }))
}
