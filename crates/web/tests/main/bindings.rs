//! Checks that the generated files of the repository are what the Rust types say. `cargo xtask bindings` runs
//! this test in a mode that writes them. In `www/generated/` lie the protocol with every lab's view and
//! commands, each lab's texts and settings, and the list of labs; they are committed, so that the page can be
//! type-checked without a Rust compiler. The settings of labs and the inputs of tools are written into the
//! labs' crates too, where bundles read them (`Schema::of_lab`), and the inputs of tools into the Python
//! package (`python_tools`).

use std::fs;
use std::path::Path;

use crate::python_tools;
use learnery_lab::{Declarations, GpuUse, ToolEntry};
use learnery_web::own_world::{CheckedWorld, Episode};
use learnery_web::protocol::{ActorsProgress, AnswerPart, Build, LabInfo, Reply, Request, ToolsRequest};

/// If this environment variable is set, the files are written instead of compared.
const WRITE_VARIABLE: &str = "LEARNERY_WRITE_BINDINGS";

#[test]
fn committed_bindings_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let write = std::env::var_os(WRITE_VARIABLE).is_some();
    for (name, wanted) in files() {
        let path = root.join(&name);
        let present = fs::read_to_string(&path).unwrap_or_default();
        if present == wanted {
            continue;
        }
        if write {
            fs::create_dir_all(path.with_file_name("")).expect("the folder can be made");
            fs::write(&path, wanted).expect("the file can be written");
            continue;
        }
        let line = present.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count() + 1;
        panic!(
            "{name} is not what the Rust types say (from line {line} on); run `cargo xtask bindings` and \
             commit it"
        );
    }
}

/// The files as (path in the repository, content).
fn files() -> Vec<(String, String)> {
    let file = |name: &str, text: &str| {
        let head = "// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.";
        (format!("www/generated/{name}"), format!("{head}\n\n{}\n", text.trim_end()))
    };
    let mut files = vec![file("protocol.ts", &types())];
    let mut list = String::from(
        "import type { LabInfo } from \"./protocol\";\n\n\
         /** Every lab, in the order of the front page; the rest of its texts and its settings are loaded on demand. */\n\
         export const LABS: { id: string; title: string; tagline: string; load: () => Promise<LabInfo> }[] = [\n",
    );
    for entry in learnery_labs::LABS {
        let id = entry.about.id;
        files.push((format!("crates/labs/{id}/src/settings.json"), (entry.schema)().to_file()));
        for tool in entry.tools {
            let path = format!("crates/labs/{id}/src/tools/{}.json", tool.about.id);
            files.push((path, (tool.schema)().to_file()));
        }
        let info = LabInfo {
            about: *entry.about,
            fields: (entry.schema)().fields().to_vec(),
            uses_gpu: entry.gpu == GpuUse::Everywhere,
            why_no_gpu: match entry.gpu {
                GpuUse::Native { why_not_in_a_tab } => Some(why_not_in_a_tab),
                GpuUse::Nowhere | GpuUse::Everywhere => None,
            },
            tools_apart: entry.tools_apart,
        };
        let info = serde_json::to_string_pretty(&info).expect("a lab is plain data");
        files.push(file(
            &format!("labs/{id}.ts"),
            &format!(
                "import type {{ LabInfo }} from \"../protocol\";\n\nexport const LAB: LabInfo = {info};"
            ),
        ));
        // A JSON string is also one of TypeScript.
        let json = |text: &str| serde_json::to_string(text).expect("a text is plain data");
        let (title, tagline) = (json(entry.about.title), json(entry.about.tagline));
        list.push_str(&format!(
            "  {{ id: \"{id}\", title: {title}, tagline: {tagline}, load: async () => (await \
             import(\"./labs/{id}\")).LAB }},\n"
        ));
    }
    files.push(file("labs.ts", &format!("{list}];")));
    files.extend(python_tools::files());
    files
}

/// The content of `protocol.ts`.
fn types() -> String {
    let mut types = Declarations::default();
    types.add::<Request>();
    types.add::<ToolsRequest>();
    types.add::<Reply>();
    types.add::<AnswerPart>();
    types.add::<Build>();
    types.add::<ActorsProgress>();
    types.add::<LabInfo>();
    types.add::<CheckedWorld>();
    types.add::<Episode>();
    let labs: Vec<_> =
        learnery_labs::LABS.iter().map(|entry| (entry.about.id, (entry.declare)(&mut types))).collect();
    let mut tools = String::new();
    for entry in learnery_labs::LABS {
        let types_of = |tool: &ToolEntry| {
            let [input, event, output] = (tool.declare)(&mut types);
            format!("{:?}: {{ input: {input}, event: {event}, output: {output} }}", tool.about.id)
        };
        let of_lab: Vec<String> = entry.tools.iter().filter(|tool| tool.about.in_tab).map(types_of).collect();
        tools.push_str(&format!("  {:?}: {{ {} }},\n", entry.about.id, of_lab.join(", ")));
    }

    let mut text = types.text();
    text.push_str("\n/** The view and the commands of each lab, by its id. */\nexport type LabTypes = {\n");
    for (id, (view, command)) in labs {
        text.push_str(&format!("  {id:?}: {{ view: {view}, command: {command} }},\n"));
    }
    text.push_str(
        "};\n\n\
         /** The input, the events and the output of each tool that a bundle has, by the ids of lab and tool. */\n\
         export type LabTools = {\n",
    );
    text.push_str(&tools);
    text.push_str(
        "};\n\n\
         /** The answer to the request `view`: the data to draw. */\n\
         export type ViewReply = { \"type\": \"view\", view: LabTypes[keyof LabTypes][\"view\"] };\n\n\
         /** A part of the answer to the request `ask`. */\n\
         export type Answer = { \"type\": \"answer\", id: number, part: AnswerPart };\n\n\
         /** Every message of a session. What answers a request has its number. */\n\
         export type Message = ((Reply | ViewReply) & { id?: number }) | Answer;\n",
    );
    text
}
