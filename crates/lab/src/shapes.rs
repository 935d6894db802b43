//! The TypeScript face of a lab's types, written from the Rust ones so that the two cannot drift.
//!
//! Every view and command is a [`Shape`]. Without the `bindings` feature that asks nothing of a type.

#[cfg(not(feature = "bindings"))]
mod plain {
    /// A type that crosses into the page.
    pub trait Shape: 'static {}
    impl<T: 'static> Shape for T {}
}
#[cfg(not(feature = "bindings"))]
pub use plain::Shape;

#[cfg(feature = "bindings")]
mod typescript {
    use std::collections::BTreeMap;

    use ts_rs::{Config, TS, TypeVisitor};

    use crate::Lab;

    /// A type that crosses into the page.
    pub trait Shape: TS + 'static {}
    impl<T: TS + 'static> Shape for T {}

    /// TypeScript declarations by name, each once.
    pub struct Declarations {
        config: Config,
        by_name: BTreeMap<String, String>,
    }

    impl Default for Declarations {
        fn default() -> Self {
            // Counters stay far below 2^53, so plain numbers hold them.
            Self { config: Config::new().with_large_int("number"), by_name: BTreeMap::new() }
        }
    }

    impl Declarations {
        /// Declares a type and all it is made of; gives its name back.
        pub fn add<T: Shape>(&mut self) -> String {
            self.visit::<T>();
            T::name(&self.config)
        }

        /// Declares what a lab shows and what a visitor may do there; gives the names of both back.
        pub fn add_lab<L: Lab>(&mut self) -> (String, String) {
            (self.add::<L::View>(), self.add::<L::Command>())
        }

        /// All declarations, in the order of their names.
        pub fn text(&self) -> String {
            self.by_name.values().map(String::as_str).collect::<Vec<_>>().join("\n")
        }
    }

    impl TypeVisitor for Declarations {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            // Only declared types have a place of their own; numbers and lists are written in line.
            if T::output_path().is_none() {
                return;
            }
            let name = T::ident(&self.config);
            let declaration =
                tidy(&format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(&self.config)));
            match self.by_name.get(&name) {
                Some(other) if *other == declaration => {}
                Some(_) => panic!("two different types are called `{name}`; give one another name"),
                None => {
                    self.by_name.insert(name, declaration);
                    T::visit_dependencies(self);
                }
            }
        }
    }

    /// Comments of one line on one line, members indented.
    fn tidy(text: &str) -> String {
        let text = text.replace("/**\n * ", "/** ").replace("\n */", " */");
        let mut tidy = String::new();
        for (i, line) in text.lines().enumerate() {
            let member = i > 0 && !line.starts_with(" * ") && !line.starts_with("export ");
            tidy.push_str(if member { "  " } else { "" });
            tidy.push_str(line.trim_end());
            tidy.push('\n');
        }
        tidy
    }
}
#[cfg(feature = "bindings")]
pub use typescript::{Declarations, Shape};
