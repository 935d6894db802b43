//! `learnery language sample`: generates text with a network of the language lab.
//!
//! Also contains what `learnery train` needs for this lab only: the option `--text FILE`, which trains on a
//! text file of the user.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, anyhow};
use learnery_lab::{Entry, NamedText, Session};
use learnery_labs::language::{
    Language, Network, SamplingOptions, TextGenerator, Utf8Decoder, check_source, check_text,
    replace_stories, sampling_stream, with_spinning_threads,
};
use serde_json::{Map, Value, json};

use crate::args::{LanguageArgs, LanguageCommand, LanguageSampleArgs, TrainArgs};
use crate::device;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint, read_text};
use crate::settings::{SettingSources, merge_settings};
use crate::terminal::stdout;
use crate::threads;

/// The preset that `train --text FILE` uses unless `--preset` is given.
const TEXT_PRESET: &str = "text";

/// The number of the first text in the random-number stream, which numbers the texts that share a seed.
const FIRST_TEXT: u32 = 0;

/// The allowed values of `--temperature`.
const TEMPERATURES: std::ops::RangeInclusive<f32> = 0.0..=100.0;

pub fn language(args: &LanguageArgs) -> Result<()> {
    match &args.command {
        LanguageCommand::Sample(args) => sample(args),
    }
}

/// The name of the preset to start from: that of `--preset`, otherwise `text` if `--text` is given, otherwise
/// `None`.
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

/// The settings of a new run that learns from a text. A preset of stories gives all others.
pub fn settings_for_text(entry: &Entry, sources: &SettingSources) -> Result<Map<String, Value>> {
    let mut base = merge_settings(entry, None, &SettingSources { file: None, assignments: &[], ..*sources })?;
    replace_stories(&mut base);
    merge_settings(entry, Some(&base), &SettingSources { preset: None, ..*sources })
}

/// The file of the text that a run learns from, as one would type it: that of `--text`. Of a run that is
/// continued only the text is known, and `FILE` stands for its file.
pub fn file_of_text(session: &Session, args: &TrainArgs) -> Option<PathBuf> {
    let is_language = session.entry().about.id == Entry::of::<Language>().about.id;
    let learns_text = is_language && session.config().get("source").is_some_and(|source| source == "text");
    learns_text.then(|| args.text.clone().unwrap_or_else(|| "FILE".into()))
}

/// Makes the run train on the text that [`training_text`] has read; does nothing without one.
pub fn set_text(session: &mut Session, text: Option<NamedText>) -> Result<()> {
    let Some(NamedText { name, bytes }) = text else { return Ok(()) };
    check_source(session.config()).map_err(|e| usage(format!("{name}: {e}")))?;
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
    let text_numbers = FIRST_TEXT..FIRST_TEXT + args.texts;
    let (options, stream) = (sampling_options(args), sampling_stream(args.seed));
    if let Some(generator) =
        device::Texts::new(args.device, &network, &prompt, options, stream, text_numbers)?
    {
        return generate_on_gpu(generator, args, &network);
    }
    // All threads compute each token together, in matrix products of a few microseconds. Waking a sleeping
    // thread takes longer than that, so the threads poll for work (spin) instead of sleeping.
    with_spinning_threads(|| generate(args, &network, &prompt))
}

/// Continues the prompt token by token, one text after the other.
fn generate(args: &LanguageSampleArgs, network: &Network, prompt: &[u16]) -> Result<()> {
    let mut generator = TextGenerator::new(network);
    for i in 0..args.texts {
        generator.start(network, prompt);
        let number = u64::from(FIRST_TEXT + i);
        let is_streamed = true;
        let mut text = Sample::begin(args, network, i, is_streamed)?;
        while !text.has_ended {
            text.push(generator.next_token(
                network,
                sampling_options(args),
                sampling_stream(args.seed),
                number,
            ))?;
        }
        let tokens_per_second = text.tokens_per_second();
        text.finish("cpu", tokens_per_second)?;
    }
    Ok(())
}

/// Continues the prompt on a GPU, all texts at the same time.
fn generate_on_gpu(mut generator: device::Texts, args: &LanguageSampleArgs, network: &Network) -> Result<()> {
    /// Tokens of each text that are generated before they are written.
    const TOKENS_AT_ONCE: u32 = 32;
    let count = args.texts as usize;
    // Several texts would be mixed up if each were written while it grows.
    let is_streamed = count == 1;
    let texts = (0..args.texts).map(|i| Sample::begin(args, network, i, is_streamed));
    let mut texts: Vec<Sample> = texts.collect::<Result<_>>()?;
    let mut tokens_left = args.tokens;
    while tokens_left > 0 && texts.iter().any(|text| !text.has_ended) {
        let steps = TOKENS_AT_ONCE.min(tokens_left);
        tokens_left -= steps;
        let tokens = generator.next_tokens(steps as usize)?;
        // One token of each text. The GPU goes on with texts that have ended; their tokens are left out.
        for step in tokens.chunks_exact(count) {
            for (text, token) in texts.iter_mut().zip(step).filter(|(text, _)| !text.has_ended) {
                text.push(*token)?;
            }
        }
    }
    let tokens_per_second: f64 = texts.iter().map(Sample::tokens_per_second).sum();
    texts.into_iter().try_for_each(|text| text.finish(generator.device(), tokens_per_second))
}

fn sampling_options(args: &LanguageSampleArgs) -> SamplingOptions {
    SamplingOptions { temperature: args.temperature, top_k: args.top_k as usize }
}

/// A text that is written while it is generated, or all at once when it is finished.
struct Sample<'a> {
    args: &'a LanguageSampleArgs,
    network: &'a Network,
    /// The index of the text among those of this command.
    index: u32,
    /// Whether each piece is written as soon as it is generated.
    is_streamed: bool,
    /// What is to be written at the end.
    text: String,
    decoder: Utf8Decoder,
    tokens: u32,
    begin: Instant,
    /// Seconds until the last token.
    seconds: f64,
    /// Whether the text has all tokens, or the one that ends an answer.
    has_ended: bool,
}

impl<'a> Sample<'a> {
    fn begin(
        args: &'a LanguageSampleArgs,
        network: &'a Network,
        index: u32,
        is_streamed: bool,
    ) -> Result<Self> {
        let mut sample = Self {
            args,
            network,
            index,
            is_streamed: is_streamed && !args.json,
            text: String::new(),
            decoder: Utf8Decoder::default(),
            tokens: 0,
            begin: Instant::now(),
            seconds: 0.0,
            has_ended: false,
        };
        sample.write(&args.prompt)?;
        Ok(sample)
    }

    fn write(&mut self, piece: &str) -> Result<()> {
        if self.is_streamed {
            return stdout::write(piece);
        }
        self.text.push_str(piece);
        Ok(())
    }

    fn push(&mut self, token: u16) -> Result<()> {
        self.tokens += 1;
        self.seconds = self.begin.elapsed().as_secs_f64();
        // The token that ends an answer; `None` for networks that were trained on stories or a text.
        let is_end = Some(token) == self.network.end_of_answer();
        self.has_ended = is_end || self.tokens == self.args.tokens;
        if is_end {
            return Ok(());
        }
        // A token may end in the middle of a UTF-8 character. The decoder holds such bytes back until the
        // character is complete.
        let piece = self.decoder.push(self.network.tokenizer.piece(token));
        self.write(&piece)
    }

    fn tokens_per_second(&self) -> f64 {
        f64::from(self.tokens) / self.seconds
    }

    /// Ends the text, with an empty line between two texts, or writes it as JSON.
    fn finish(mut self, device: &str, tokens_per_second: f64) -> Result<()> {
        let rest = self.decoder.finish().to_owned();
        self.write(&rest)?;
        let Self { args, index, text, .. } = self;
        if !args.json {
            let empty_line = if index + 1 < args.texts { "\n" } else { "" };
            return stdout::write(&format!("{text}\n{empty_line}"));
        }
        stdout::write_json(&json!({
            "prompt": args.prompt,
            "text": text,
            "number": FIRST_TEXT + index,
            "tokens": self.tokens,
            "temperature": args.temperature,
            "topK": args.top_k,
            "seed": args.seed,
            "device": device,
            "tokensPerSecond": tokens_per_second,
        }))
    }
}
