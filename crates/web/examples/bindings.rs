//! Prints the TypeScript files of `www/generated/`, each after a line with its name: the protocol with every lab's view and
//! commands, each lab's texts and settings, and the list of labs. Run by `cargo xtask bindings`.

use learnery_lab::Declarations;
use learnery_web::protocol::{Build, LabInfo, Reply, Request};

#[allow(clippy::print_stdout)] // Printing is the purpose of this program.
fn main() {
    let print = |file: &str, text: &str| {
        println!("=== {file}");
        println!("// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.\n");
        println!("{}", text.trim_end());
    };
    print("protocol.ts", &types());
    let mut list = String::from(
        "import type { LabInfo } from \"./protocol\";\n\n\
         /** Every lab in the order of the gallery. Its texts and settings are loaded on demand. */\n\
         export const LABS: { id: string; load: () => Promise<LabInfo> }[] = [\n",
    );
    for entry in learnery_labs::LABS {
        let id = entry.about.id;
        let info = LabInfo { about: *entry.about, fields: (entry.schema)().fields().to_vec() };
        let info = serde_json::to_string_pretty(&info).expect("a lab is plain data");
        print(
            &format!("labs/{id}.ts"),
            &format!(
                "import type {{ LabInfo }} from \"../protocol\";\n\nexport const LAB: LabInfo = {info};"
            ),
        );
        list.push_str(&format!(
            "  {{ id: \"{id}\", load: async () => (await import(\"./labs/{id}\")).LAB }},\n"
        ));
    }
    print("labs.ts", &format!("{list}];"));
}

fn types() -> String {
    let mut types = Declarations::default();
    types.add::<Request>();
    types.add::<Reply>();
    types.add::<Build>();
    types.add::<LabInfo>();
    let labs: Vec<_> =
        learnery_labs::LABS.iter().map(|entry| (entry.about.id, (entry.declare)(&mut types))).collect();

    let mut text = types.text();
    text.push_str("\n/** The view and the commands of each lab, by its id. */\nexport type LabTypes = {\n");
    for (id, (view, command)) in labs {
        text.push_str(&format!("  {id:?}: {{ view: {view}, command: {command} }},\n"));
    }
    text.push_str(
        "};\n\n\
         /** The answer to the request `view`: the data to draw. */\n\
         export type ViewReply = { \"type\": \"view\", view: LabTypes[keyof LabTypes][\"view\"] };\n\n\
         /** Every message of a session. */\n\
         export type Message = Reply | ViewReply;\n",
    );
    text
}
