//! The WGSL texts of a crate's kernels. A crate that has kernels lists the files of a folder with
//! [`kernel_sources!`](crate::kernel_sources); they become part of the program, without line comments, empty
//! lines and indentation. So line numbers in a compiler's messages are not the line numbers of the files.

use crate::shader;

/// The texts of the kernels of one module, and of the files that they include. Kernels can also include the
/// files of this crate, such as `math`, `philox` and `reduce`, which are not listed here but looked up after
/// these.
#[derive(Clone, Copy, Debug)]
pub struct Sources {
    /// The path of the module that lists them, which tells apart kernels of the same name.
    pub module: &'static str,
    /// Names and texts.
    pub texts: &'static [(&'static str, &'static str)],
}

impl Sources {
    /// The text `name`, from these sources or from those of this crate, and the sources that have it.
    ///
    /// # Panics
    /// If neither has it.
    pub(crate) fn find(&self, name: &str) -> (&'static str, Self) {
        let look_up = |sources: Self| {
            let found = sources.texts.iter().find(|(known, _)| *known == name);
            found.map(|(_, text)| (*text, sources))
        };
        look_up(*self)
            .or_else(|| look_up(shader::SOURCES))
            .unwrap_or_else(|| panic!("there is no kernel `{name}`"))
    }
}

/// The [`Sources`] of a module: the files `NAME.wgsl` of a folder beside the file that calls it. A name may
/// have a `#[cfg(..)]`.
#[macro_export]
macro_rules! kernel_sources {
    ($folder:literal: $($(#[$condition:meta])* $name:literal),* $(,)?) => {
        $crate::Sources {
            module: module_path!(),
            texts: &[$($(#[$condition])* ($name, {
                const FILE: &str = include_str!(concat!($folder, "/", $name, ".wgsl"));
                const CODE: [u8; $crate::code_length(FILE)] = $crate::code(FILE);
                $crate::text(&CODE)
            })),*],
        }
    };
}

/// Splits off the first line of a file. Returns it without its comment and without white space around it, and
/// the rest.
///
/// # Panics
/// If the line begins a block comment, because `//` would mean nothing in it. Kernels have line comments
/// only.
const fn split_line(file: &[u8]) -> (&[u8], &[u8]) {
    let (mut end, mut comment) = (0, usize::MAX);
    while end < file.len() && file[end] != b'\n' {
        if comment == usize::MAX && file[end] == b'/' && end + 1 < file.len() {
            assert!(file[end + 1] != b'*', "kernels have line comments only");
            if file[end + 1] == b'/' {
                comment = end;
            }
        }
        end += 1;
    }
    let (line, rest) = file.split_at(end);
    let rest = if rest.is_empty() { rest } else { rest.split_at(1).1 };
    let line = if comment < end { line.split_at(comment).0 } else { line };
    (line.trim_ascii(), rest)
}

/// The length of the code of a file.
#[doc(hidden)]
#[must_use]
pub const fn code_length(file: &str) -> usize {
    let (mut rest, mut length) = (file.as_bytes(), 0);
    while !rest.is_empty() {
        let line;
        (line, rest) = split_line(rest);
        if !line.is_empty() {
            length += (length > 0) as usize + line.len();
        }
    }
    length
}

/// The lines of a file that are not empty, without line comments and indentation.
#[doc(hidden)]
#[must_use]
pub const fn code<const LENGTH: usize>(file: &str) -> [u8; LENGTH] {
    // The fill provides the line breaks.
    let (mut rest, mut length, mut code) = (file.as_bytes(), 0, [b'\n'; LENGTH]);
    while !rest.is_empty() {
        let line;
        (line, rest) = split_line(rest);
        if !line.is_empty() {
            length += (length > 0) as usize;
            let mut i = 0;
            while i < line.len() {
                code[length + i] = line[i];
                i += 1;
            }
            length += line.len();
        }
    }
    code
}

/// Code as a text.
#[doc(hidden)]
#[must_use]
pub const fn text(code: &'static [u8]) -> &'static str {
    match str::from_utf8(code) {
        Ok(text) => text,
        Err(_) => panic!("kernels are UTF-8"),
    }
}
