//! What settings cost, and how a trained network is judged on its own.

use learnery_kernels::rng::Stream;
use learnery_lab::{EvalRequest, LabError, Report};
use learnery_nn::{Layout, Tensors, Trainer, Transformer, TransformerShape};

use super::config::{LanguageConfig, Source, Tokens};
use super::judge::{CLOSE, Judge};
use super::material::{Material, Problems, corpus, exercise};
use super::network::{Network, context};
use super::purpose;
use super::tales::Tales;

/// The most parameters: what is learned is kept six times while it learns, and a browser's memory ends.
const MOST_PARAMETERS: usize = 32 << 20;
/// The most tokens in a batch.
const MOST_TOKENS: usize = 1 << 18;

/// Problems, windows of stories, and bytes of a text that an evaluation looks at where nothing is said.
const PROBLEMS: u64 = 2000;
const WINDOWS: u64 = 512;
const BYTES: usize = 1 << 18;

/// What ranges alone cannot say.
pub fn check(config: &LanguageConfig) -> Result<(), LabError> {
    let LanguageConfig { width, heads, .. } = *config;
    if !width.is_multiple_of(heads) {
        return Err(LabError::setting("heads", format!("{heads} heads cannot share a width of {width}")));
    }
    let context = context(config)?;
    let shape = TransformerShape {
        vocabulary: if config.tokens == Tokens::Pairs { config.vocabulary as usize } else { 256 },
        context,
        width: width as usize,
        layers: config.layers as usize,
        heads: heads as usize,
        rotary: config.rotary,
    };
    let mut layout = Layout::default();
    Transformer::new(&mut layout, "transformer", &shape);
    if layout.len() > MOST_PARAMETERS {
        let message = format!("{} parameters; at most {MOST_PARAMETERS} can be learned here", layout.len());
        return Err(LabError::setting("width", message));
    }
    let tokens = config.batch as usize * context;
    if tokens > MOST_TOKENS {
        let message = format!("{tokens} tokens in a batch; at most {MOST_TOKENS}");
        return Err(LabError::setting("batch", message));
    }
    Ok(())
}

/// Judges a network on problems, on stories, or on a text.
pub fn evaluate(
    config: &LanguageConfig,
    network: &Tensors,
    request: &EvalRequest,
) -> Result<Report, LabError> {
    let refuse = |message: String| Err(LabError::Evaluation(message));
    if let Some(against) = &request.against {
        return refuse(format!("nobody plays against a text, so not `{against}`"));
    }
    if request.plies.is_some() {
        return refuse("there is nothing to look ahead at".into());
    }
    if let Some(count) = request.games.filter(|count| !(1..=1_000_000).contains(count)) {
        return refuse(format!("{count} problems or windows of text; expected 1 to 1000000"));
    }
    let network = Network::from_tensors(config, network)?;
    let length = network.net.shape().context;
    let stream = Stream::new(request.seed, purpose::EVALUATION);
    let windows = (request.games.unwrap_or(WINDOWS) as usize).saturating_mul(length);
    let (mut material, size) = match (exercise(config)?, &request.text) {
        (Some(_), Some(_)) => return refuse("a network for a task cannot read other text".into()),
        (Some(exercise), None) => (
            Material::Task(Box::new(Problems::new(exercise, stream))),
            request.games.unwrap_or(PROBLEMS) as usize,
        ),
        (None, Some(text)) => {
            let judged = |e: LabError| LabError::Evaluation(e.to_string());
            let corpus = corpus(&text.name, &text.bytes).map_err(judged)?;
            network.encode(corpus.text()).map_err(judged)?;
            let text = Material::text(&text.name, corpus, &network.tokenizer, length, 0).map_err(judged)?;
            (text, request.games.map_or(BYTES, |_| windows))
        }
        (None, None) if config.source == Source::Text => {
            return refuse("its text is no part of a network: name a text, with --text FILE".into());
        }
        (None, None) => (Material::Stories(Box::new(Tales::new(stream, stream, stream))), windows),
    };
    let mut trainer = Trainer::new(&network.net, length, Trainer::sequences(length, 8));
    let mut judge = Judge::new(&network, &material, size, CLOSE);
    let verdict = loop {
        if let Some(verdict) = judge.step(&network, &mut trainer, &mut material) {
            break verdict;
        }
    };
    let mut figures = Vec::new();
    let mut summary = String::new();
    if let Some(exact) = verdict.exact {
        summary = format!("{:.2}% of {} problems answered exactly", 100.0 * exact, judge.rows());
        figures.push(("exact", 100.0 * exact, "%"));
    }
    if let Some(bits) = verdict.bits {
        summary = format!("{bits:.3} bits a byte on {} bytes it never learned from", judge.bytes());
        figures.push(("bits", bits, "bits/byte"));
        if let Some(excess) = verdict.excess {
            summary += &format!(", {:.1}% above their entropy", 100.0 * excess);
            figures.push(("entropy", bits / (1.0 + excess), "bits/byte"));
            figures.push(("excess", 100.0 * excess, "%"));
        }
        if let Some([gzip, order3]) = judge.baselines() {
            summary += &format!("; gzip needs {gzip:.3}, an order-3 model {order3:.3}");
            figures.extend([("gzip", gzip, "bits/byte"), ("order 3", order3, "bits/byte")]);
        }
    }
    figures.push(("parameters", network.weights.len() as f64, ""));
    Ok(Report { summary, figures })
}
