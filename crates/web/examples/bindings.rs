//! Prints what the page knows from the Rust types: with `types` the protocol and every lab's view and commands, with
//! `labs` the labs themselves. Run by `cargo xtask bindings`.

use learnery_lab::Declarations;
use learnery_web::protocol::{Build, LabInfo, Reply, Request};

#[allow(clippy::print_stdout)] // The output is what this program is for.
fn main() {
    println!("// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.\n");
    match std::env::args().nth(1).as_deref() {
        Some("labs") => labs(),
        _ => types(),
    }
}

#[allow(clippy::print_stdout)]
fn labs() {
    let labs: Vec<_> = learnery_labs::LABS
        .iter()
        .map(|entry| LabInfo { about: *entry.about, fields: (entry.schema)().fields().to_vec() })
        .collect();
    println!("import type {{ LabInfo }} from \"./protocol\";\n");
    println!("/** Every lab there is, in the order of the gallery. */");
    println!(
        "export const LABS: LabInfo[] = {};",
        serde_json::to_string_pretty(&labs).expect("labs are plain data")
    );
}

#[allow(clippy::print_stdout)]
fn types() {
    let mut types = Declarations::default();
    types.add::<Request>();
    types.add::<Reply>();
    types.add::<Build>();
    types.add::<LabInfo>();
    let labs: Vec<_> =
        learnery_labs::LABS.iter().map(|entry| (entry.about.id, (entry.declare)(&mut types))).collect();

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
