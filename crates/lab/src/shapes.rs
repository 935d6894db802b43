//! TypeScript declarations of the types exchanged with the page, generated from the Rust types by the crate
//! `ts-rs`.
//!
//! The types of views and commands implement [`Shape`]. With the feature `bindings`, `Shape` requires ts-rs's
//! trait `TS`; without it, every type implements `Shape`, so that normal builds do not depend on ts-rs.

#[cfg(not(feature = "bindings"))]
mod plain {
    /// A type that is exchanged with the page.
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

    /// A type that is exchanged with the page.
    pub trait Shape: TS + 'static {}
    impl<T: TS + 'static> Shape for T {}

    /// A set of TypeScript declarations, one per type name.
    pub struct Declarations {
        config: Config,
        /// The text of each declaration by the name of its type.
        by_name: BTreeMap<String, String>,
    }

    impl Default for Declarations {
        fn default() -> Self {
            // 64-bit integers become `number`, not `bigint`: counters stay below 2^53, so JavaScript numbers
            // hold them exactly.
            Self { config: Config::new().with_large_int("number"), by_name: BTreeMap::new() }
        }
    }

    impl Declarations {
        /// Adds a type and the types that it contains, and returns its TypeScript name.
        pub fn add<T: Shape>(&mut self) -> String {
            self.visit::<T>();
            T::name(&self.config)
        }

        /// Adds a lab's view and commands, and returns (name of the view's type, name of the commands' type).
        pub fn add_lab<L: Lab>(&mut self) -> (String, String) {
            (self.add::<L::View>(), self.add::<L::Command>())
        }

        /// All declarations, sorted by name.
        pub fn text(&self) -> String {
            self.by_name.values().map(String::as_str).collect::<Vec<_>>().join("\n")
        }
    }

    impl TypeVisitor for Declarations {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            // Built-in types such as numbers and lists have no output path. They need no declaration of their
            // own.
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

    /// Formats a declaration: one-line doc comments on one line, members indented by two spaces.
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
