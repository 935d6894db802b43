//! `learnery train`: opens a new or saved run, trains until a limit is reached, and reports how the run
//! ended.

use std::time::Instant;

use anyhow::Result;
use learnery_kernels::isa::Bits;
use learnery_lab::{Limits, Pace, Recipe, Session};

use crate::args::TrainArgs;
use crate::commands::language;
use crate::display::{Display, RunInfo};
use crate::files::LAST;
use crate::run::best::BestValue;
use crate::run::event_stream::EventStream;
use crate::run::kept::KeptRun;
use crate::run::messages;
use crate::run::open::{OpenRun, open};
use crate::run::recipe;
use crate::run::stop::StopSignal;
use crate::run::training::Training;
use crate::threads;

/// `bits` is the class of bits that was asked for: whether multiply-adds are rounded once or twice.
pub fn train(args: &TrainArgs, bits: Option<Bits>) -> Result<()> {
    threads::start_pool(args.threads)?;
    let recipe = recipe::read(args, bits)?;
    let stop = StopSignal::listen()?;
    let OpenRun { session, folder, is_resumed, device_note } = open(args, recipe.as_ref())?;
    let limits = limits_of(args, recipe.as_ref(), &session);
    let first_unit = session.units();
    let mut stream = EventStream::new(args.json);
    messages::print_start(&session, folder.path(), is_resumed, device_note.as_deref(), &limits);
    stream.start(&session, folder.path(), is_resumed)?;
    let keep = args.keep.unwrap_or_default();
    let best = keep.best.then(|| BestValue::open(&session, folder.path())).transpose()?;
    let info = RunInfo { path: folder.path().to_owned(), limits, first_unit };
    let display = Display::new(info, &session, args.json, args.plain);
    let saved_unit = folder.path().join(LAST).exists().then_some(first_unit);
    let kept = KeptRun::new(folder.path(), session.entry().about.unit, saved_unit, first_unit);
    stop.add(&kept);
    if let Some(sentence) = missed_by_a_stop(args) {
        stop.fail_with(sentence);
    }
    let text = language::file_of_text(&session, args);
    let mut training = Training {
        session,
        folder,
        limits,
        first_unit,
        stream,
        display,
        stop,
        start: Instant::now(),
        pace: Pace::default(),
        is_unsaved: false,
        has_remarked: false,
        kept,
        fingerprint: None,
        expected: args.expect.clone(),
        recipe,
        save_every: args.save_every,
        keep: keep.copies,
        best,
        text,
        device: args.device,
        precision: args.precision,
    };
    let reason = training.run()?;
    training.end(reason, args.until_goal)
}

/// What a run does not reach if it is stopped; `None` if it may be stopped at any time.
fn missed_by_a_stop(args: &TrainArgs) -> Option<&'static str> {
    if args.recipe.is_some() {
        Some("the run was interrupted before the end of its recipe")
    } else if args.until_goal {
        Some("the run was interrupted before its goal was reached")
    } else {
        args.expect.is_some().then_some("the run was interrupted, so its fingerprint cannot be compared")
    }
}

/// The limits of this invocation.
fn limits_of(args: &TrainArgs, recipe: Option<&Recipe>, session: &Session) -> Limits {
    // Without `--units`, a recipe says how far its run goes.
    let units = args.units.or_else(|| recipe?.units);
    Limits::new(session, units, args.time.map(|time| time.seconds), args.until_goal)
}
