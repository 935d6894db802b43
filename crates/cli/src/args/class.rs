//! Arguments of the commands for a class.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Args, Debug)]
pub struct ClassArgs {
    #[command(subcommand)]
    pub command: ClassCommand,
}

#[derive(Debug, Subcommand)]
pub enum ClassCommand {
    /// Serve the page and the results of a class in one room
    ///
    /// Pupils open the printed address and type the code; the teacher's link shows all runs as they learn.
    /// Names and answers are in memory only, and go with this program. Ctrl-C ends it.
    Serve(ClassServeArgs),
}

#[derive(Args, Debug)]
pub struct ClassServeArgs {
    /// The port to listen on; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 8480)]
    pub port: u16,
    /// The address to listen on; 127.0.0.1 for this machine alone, such as behind a proxy
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0")]
    pub host: String,
    /// The folder of the built site [default: dist here or above, or beside this program]
    #[arg(long, value_name = "DIR")]
    pub site: Option<PathBuf>,
    /// Serve over HTTPS with this certificate, a file in PEM form: tabs on other machines get threads
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// The key of the certificate, a file in PEM form
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
}
