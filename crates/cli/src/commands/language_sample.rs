//! `learnery language sample`: prints what the language lab's tool `sample` writes.

use std::time::Instant;

use anyhow::Result;
use learnery_lab::{Job, with_spinning_threads};
use learnery_labs::language::{Sample, SampleEvent, SampleInput};
use serde_json::json;

use super::ask::Source;
use crate::args::LanguageSampleArgs;
use crate::device;
use crate::terminal::stdout;
use crate::threads;

/// Runs `learnery language sample`.
pub fn sample(args: &LanguageSampleArgs) -> Result<()> {
    let all_threads = None;
    threads::start_pool(all_threads)?;
    let input = SampleInput { prompt: args.prompt.clone(), ..args.inputs.input()? };
    let mut job = Source::read(&args.checkpoint)?.begin::<Sample>(input.clone())?;
    let gpu = device::put_on_gpu(&mut job, args.device)?;
    let is_spinning = job.wants_spinning_threads();
    let print = || Printer::new(args, &input, gpu).print(job);
    if is_spinning { with_spinning_threads(print) } else { print() }
}

/// Prints texts while they grow, or each when it is finished.
struct Printer<'a> {
    input: &'a SampleInput,
    is_json: bool,
    /// The name of the GPU, on which all texts grow at the same time. On the CPU they do so one by one.
    gpu: Option<String>,
    /// Whether each piece is written as soon as it is generated. Several texts that grow at the same time
    /// would be mixed up.
    is_streamed: bool,
    texts: Vec<TextProgress>,
    /// When the present text began; on a GPU, all texts.
    began: Instant,
}

/// What is known of a text.
#[derive(Clone, Default)]
struct TextProgress {
    /// What is to be written at the end; empty if pieces are written as soon as they are generated.
    text: String,
    tokens: u32,
    /// Seconds until the last token.
    seconds: f64,
}

impl TextProgress {
    fn tokens_per_second(&self) -> f64 {
        f64::from(self.tokens) / self.seconds
    }
}

impl<'a> Printer<'a> {
    fn new(args: &LanguageSampleArgs, input: &'a SampleInput, gpu: Option<String>) -> Self {
        let is_streamed = !args.json && (gpu.is_none() || input.texts == 1);
        let texts = vec![TextProgress::default(); input.texts as usize];
        Self { input, is_json: args.json, gpu, is_streamed, texts, began: Instant::now() }
    }

    fn print(mut self, mut job: Job<Sample>) -> Result<()> {
        let begun = if self.gpu.is_some() { self.texts.len() } else { 1 };
        (0..begun).try_for_each(|index| self.begin(index))?;
        let mut outcome = Ok(());
        job.finish(&mut |events, _| {
            outcome = events.into_iter().try_for_each(|event| self.take(event));
            outcome.is_ok()
        })?;
        outcome?;
        let Some(gpu) = self.gpu.take() else { return Ok(()) };
        let tokens_per_second = self.texts.iter().map(TextProgress::tokens_per_second).sum();
        (0..self.texts.len()).try_for_each(|index| self.finish(index, &gpu, tokens_per_second))
    }

    fn write(&mut self, index: usize, piece: &str) -> Result<()> {
        if self.is_streamed {
            return stdout::write(piece);
        }
        self.texts[index].text.push_str(piece);
        Ok(())
    }

    fn begin(&mut self, index: usize) -> Result<()> {
        self.began = Instant::now();
        let input = self.input;
        self.write(index, &input.prompt)
    }

    fn take(&mut self, event: SampleEvent) -> Result<()> {
        let (index, seconds) = (event.text as usize, self.began.elapsed().as_secs_f64());
        self.texts[index].tokens += 1;
        self.texts[index].seconds = seconds;
        self.write(index, &event.piece)?;
        if event.is_end && self.gpu.is_none() {
            self.finish(index, "cpu", self.texts[index].tokens_per_second())?;
            if index + 1 < self.texts.len() {
                self.begin(index + 1)?;
            }
        }
        Ok(())
    }

    /// Ends the text, with an empty line between two texts, or writes it as JSON.
    fn finish(&self, index: usize, device: &str, tokens_per_second: f64) -> Result<()> {
        let (input, TextProgress { text, tokens, .. }) = (self.input, &self.texts[index]);
        if !self.is_json {
            let empty_line = if index + 1 < self.texts.len() { "\n" } else { "" };
            return stdout::write(&format!("{text}\n{empty_line}"));
        }
        stdout::write_json(&json!({
            "prompt": input.prompt,
            "text": text,
            "number": index,
            "tokens": tokens,
            "temperature": input.temperature,
            "topK": input.top_k,
            "seed": input.seed,
            "device": device,
            "tokensPerSecond": tokens_per_second,
        }))
    }
}
