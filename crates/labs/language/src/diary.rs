//! How the network wrote earlier: a sample after 1, 2, 4, 8 and so on iterations, always from the same beginning. It belongs
//! to the run and is kept with it.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;

use super::network::Network;
use super::view::LanguageEarlier;
use super::writer::{Dials, Writer};

/// Tokens that are written, less where a task's answer is over.
const TOKENS: usize = 240;
/// How many bytes of text a sample has, however long its tokens.
const BYTES: usize = 240;
/// Tokens that are written in one step.
const STEP: usize = 32;
/// Samples of a diary: more iterations than 2^63 there will not be.
const MOST: usize = 64;

/// All of them draw the same numbers: what differs is what the network has learned.
const TEXT: u64 = 0;

/// The dials of its samples.
const DIALS: Dials = Dials { temperature: 0.8, top_k: 0 };

/// A page of the diary.
#[derive(Clone, Debug, PartialEq)]
struct Page {
    unit: u64,
    tokens_seen: u64,
    prompt: u64,
    tokens: Vec<u16>,
}

/// Samples of a run.
pub struct Diary {
    writer: Writer,
    stream: Stream,
    pages: Vec<Page>,
    /// What they begin with.
    prompt: Vec<u16>,
    /// What ends one; nothing but its length in a text.
    end: Option<u16>,
    writing: bool,
}

impl Diary {
    /// Nothing written yet.
    pub fn new(network: &Network, prompt: Vec<u16>, end: Option<u16>, stream: Stream) -> Self {
        Self { writer: Writer::new(network), stream, pages: Vec::new(), prompt, end, writing: false }
    }

    /// Whether a sample is due at the end of iteration `unit`, counted from one.
    pub fn is_due(unit: u64) -> bool {
        unit.is_power_of_two()
    }

    /// Some tokens of the sample that is due; true when it is complete.
    pub fn step(&mut self, network: &Network, unit: u64, tokens_seen: u64) -> bool {
        if !self.writing {
            self.writer.begin(network, &self.prompt);
            self.writing = true;
        }
        for _ in 0..STEP {
            let token = self.writer.write(network, DIALS, self.stream, TEXT);
            if Some(token) == self.end || is_long(network, &self.writer) {
                self.writing = false;
                let (prompt, tokens) = (self.writer.prompt() as u64, self.writer.tokens().to_vec());
                self.pages.push(Page { unit, tokens_seen, prompt, tokens });
                return true;
            }
        }
        false
    }

    /// What can be drawn.
    pub fn view(&self, network: &Network) -> Vec<LanguageEarlier> {
        let told = |tokens: &[u16]| {
            String::from_utf8_lossy(&network.tokenizer.decode(tokens)).trim_end_matches('\n').to_owned()
        };
        let page = |page: &Page| LanguageEarlier {
            unit: page.unit as u32,
            tokens_seen: page.tokens_seen as f64,
            prompt_length: told(&page.tokens[..page.prompt as usize]).encode_utf16().count() as u32,
            text: told(&page.tokens),
        };
        self.pages.iter().map(page).collect()
    }

    /// As tensors.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        let heads = |of: fn(&Page) -> u64| self.pages.iter().map(of).collect::<Vec<_>>();
        let heads = [
            heads(|p| p.unit),
            heads(|p| p.tokens_seen),
            heads(|p| p.prompt),
            heads(|p| p.tokens.len() as u64),
        ];
        tensors.insert("pages", &[4, self.pages.len()], &heads.concat());
        let all: Vec<u32> =
            self.pages.iter().flat_map(|page| page.tokens.iter().copied().map(u32::from)).collect();
        tensors.insert("tokens", &[all.len()], &all);
        tensors
    }

    /// Takes over what was written.
    pub fn restore(&mut self, network: &Network, tensors: &Tensors) -> Result<(), LabError> {
        let damaged =
            || LabError::Checkpoint("its earlier samples (`pages` and `tokens`) do not fit together".into());
        let all: Vec<u32> = tensors.get_vec("tokens")?;
        let known =
            |token: &u32| u16::try_from(*token).ok().filter(|it| usize::from(*it) < network.tokenizer.len());
        let tokens: Vec<u16> = all.iter().map(known).collect::<Option<_>>().ok_or_else(damaged)?;
        let shape =
            tensors.iter().find(|(name, _)| *name == "pages").map(|(_, tensor)| tensor.shape().to_vec());
        let count = shape.and_then(|shape| shape.get(1).copied()).unwrap_or(0);
        let heads: Vec<u64> = tensors.get("pages", &[4, count])?;
        if count > MOST {
            return Err(damaged());
        }
        let mut rest = &tokens[..];
        for i in 0..count {
            let [unit, tokens_seen, prompt, length] = std::array::from_fn(|k| heads[k * count + i]);
            let whole = usize::try_from(length)
                .ok()
                .filter(|length| *length <= rest.len() && prompt <= *length as u64);
            let (tokens, after) = rest.split_at(whole.ok_or_else(damaged)?);
            rest = after;
            self.pages.push(Page { unit, tokens_seen, prompt, tokens: tokens.to_vec() });
        }
        if rest.is_empty() { Ok(()) } else { Err(damaged()) }
    }
}

/// Whether a sample has its length.
pub fn is_long(network: &Network, writer: &Writer) -> bool {
    let written = &writer.tokens()[writer.prompt()..];
    written.len() >= TOKENS
        || written.iter().map(|token| network.tokenizer.piece(*token).len()).sum::<usize>() >= BYTES
}
