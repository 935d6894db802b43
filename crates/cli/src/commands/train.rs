//! `learnery train`: opens a new or saved run, trains until a limit is reached, and reports how the run
//! ended.

use std::time::Instant;

use anyhow::Result;
use learnery_kernels::isa::Bits;
use learnery_lab::{Limits, Pace, Recipe, Session};

use crate::args::TrainArgs;
use crate::display::{Display, RunInfo};
use crate::files::LAST;
use crate::run::event_stream::EventStream;
use crate::run::messages;
use crate::run::open::{OpenRun, open};
use crate::run::recipe;
use crate::run::stop::StopSignal;
use crate::run::training::Training;
use crate::threads;

/// `bits` is the class of bits that was asked for.
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
    let info = RunInfo { path: folder.path().to_owned(), limits, first_unit };
    let display = Display::new(info, &session, args.json);
    let saved_unit = folder.path().join(LAST).exists().then_some(first_unit);
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
        in_memory: None,
        saved_unit,
        fingerprint: None,
        expected: args.expect.clone(),
        recipe,
        device: args.device,
        precision: args.precision,
    };
    let reason = training.run()?;
    training.end(reason, args.until_goal)
}

/// The limits of this invocation.
fn limits_of(args: &TrainArgs, recipe: Option<&Recipe>, session: &Session) -> Limits {
    // Without `--units`, a recipe says how far its run goes.
    let units = args.units.or_else(|| recipe?.units);
    Limits::new(session, units, args.time.map(|time| time.seconds), args.until_goal)
}
