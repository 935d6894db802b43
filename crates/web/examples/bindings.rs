//! Prints the TypeScript types of the protocol and of every lab; run by `cargo xtask bindings`.

use learnery_lab::Declarations;
use learnery_web::protocol::{Catalogue, Reply, Request};

#[allow(clippy::print_stdout)] // The output is what this program is for.
fn main() {
    let mut types = Declarations::default();
    types.add::<Request>();
    types.add::<Reply>();
    types.add::<Catalogue>();
    let labs: Vec<_> =
        learnery_labs::LABS.iter().map(|entry| (entry.about.id, (entry.declare)(&mut types))).collect();

    println!("// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.\n");
    println!("{}", types.text());
    println!("/** The view and the commands of each lab, by its id. */");
    println!("export type LabTypes = {{");
    for (id, (view, command)) in labs {
        println!("  {id:?}: {{ view: {view}, command: {command} }},");
    }
    println!("}};\n");
    println!("/** Answers the request `view`: what can be drawn now. */");
    println!("export type ViewReply = {{ \"type\": \"view\", view: LabTypes[keyof LabTypes][\"view\"] }};\n");
    println!("/** Everything a session may say. */");
    println!("export type Message = Reply | ViewReply;");
}
