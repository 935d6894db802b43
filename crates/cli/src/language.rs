//! `learnery language`: a network that goes on writing; and texts from files, for training and for judging.

use std::time::Instant;

use anyhow::{Result, anyhow};
use learnery_lab::{Entry, NamedText, Session};
use learnery_labs::language::{
    Dials, Language, Network, Spelling, Writer, check_text, drawing, with_spinning_threads,
};
use serde_json::json;

use crate::args::{LanguageArgs, LanguageCommand, LanguageSampleArgs, TrainArgs};
use crate::failure::usage;
use crate::files::{about_file, checkpoint_path, read_checkpoint, read_text};
use crate::{out, train};

/// The settings that a text of one's own is learned with where nothing is said.
const PRESET: &str = "text";

/// The command.
pub fn language(args: &LanguageArgs) -> Result<()> {
    match &args.command {
        LanguageCommand::Sample(args) => sample(args),
    }
}

/// The preset that arguments ask for, by name or by bringing a text.
pub fn preset(args: &TrainArgs) -> Option<&str> {
    args.preset.as_deref().or_else(|| args.text.as_ref().map(|_| PRESET))
}

/// The text that a run is to learn from, where the arguments name one.
pub fn text_of(entry: &Entry, args: &TrainArgs) -> Result<Option<NamedText>> {
    let Some(path) = &args.text else { return Ok(None) };
    if entry.about.id != Entry::of::<Language>().about.id {
        return Err(usage(format!("the lab `{}` reads no text; --text is for `language`", entry.about.id)));
    }
    let text = read_text(path)?;
    check_text(&text).map_err(|e| anyhow!("{e}"))?;
    Ok(Some(text))
}

/// Gives a run its text.
pub fn bring(session: &mut Session, text: Option<NamedText>) -> Result<()> {
    let Some(NamedText { name, bytes }) = text else { return Ok(()) };
    // It has been checked.
    let text = String::from_utf8_lossy(&bytes);
    session
        .apply(json!({ "type": "text", "name": name, "text": text }))
        .map_err(|e| usage(format!("{name}: {e}")))
}

/// `learnery language sample`.
fn sample(args: &LanguageSampleArgs) -> Result<()> {
    train::use_threads(None)?;
    if !(0.0..=100.0).contains(&args.temperature) {
        return Err(usage(format!("--temperature {}: expected 0 to 100", args.temperature)));
    }
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = Network::of(&checkpoint).map_err(|e| about_file(&path, e))?;
    let prompt = network.encode(&args.prompt).map_err(usage)?;
    // The threads share each token's work.
    with_spinning_threads(|| write(args, &network, &prompt))
}

/// Writes behind the prompt, and says it as it comes.
fn write(args: &LanguageSampleArgs, network: &Network, prompt: &[u16]) -> Result<()> {
    let end = network.end_of_answers();
    let dials = Dials { temperature: args.temperature, top_k: args.top_k as usize };
    let (mut writer, mut spelling) = (Writer::new(network), Spelling::default());
    writer.begin(network, prompt);
    let mut text = args.prompt.clone();
    if !args.json {
        out::say(&text)?;
    }
    let begin = Instant::now();
    let mut written = 0;
    for _ in 0..args.tokens {
        let token = writer.write(network, dials, drawing(args.seed), 0);
        written += 1;
        if Some(token) == end {
            break;
        }
        let piece = spelling.push(network.tokenizer.piece(token));
        if args.json {
            text.push_str(&piece);
        } else {
            out::say(&piece)?;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    if !args.json {
        return out::say(&format!("{}\n", spelling.end()));
    }
    text.push_str(spelling.end());
    out::json(&json!({
        "prompt": args.prompt,
        "text": text,
        "tokens": written,
        "temperature": args.temperature,
        "topK": args.top_k,
        "seed": args.seed,
        "tokensPerSecond": f64::from(written) / seconds,
    }))
}
