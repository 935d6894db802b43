//! One file or folder per command. Some are parts of others: `backgammon_*` of `backgammon`, `cube_*` of
//! `cube`, `language_sample` of `language`, and `model_card` of `export`. Commands share `eval_options` (the
//! options that labs declare), `gnubg` (GNU Backgammon as an opponent), `own_data` (a user's text or world),
//! and `ask` (asks a lab's tool and shows its progress). The command `ask` is in `ask_by_name`.

mod ask;
pub mod ask_by_name;
pub mod backgammon;
mod backgammon_analyse;
mod backgammon_duel;
mod backgammon_match;
mod backgammon_rates;
mod backgammon_rollout;
mod backgammon_serve;
pub mod bench;
pub mod class;
pub mod control;
pub mod cube;
mod cube_large;
mod cube_solve;
pub mod eval;
pub mod eval_options;
pub mod export;
pub mod fleet;
pub mod gnubg;
pub mod info;
pub mod labs;
pub mod language;
mod language_sample;
pub mod logic;
mod model_card;
pub mod own_data;
pub mod shell;
pub mod sweep;
pub mod train;
pub mod watch;
pub mod world;
