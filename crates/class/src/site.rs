//! The built site: finds the file of a path, and makes the answer with its type and headers.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::headers::HeaderRules;
use crate::http::{Body, Response};

/// The file with the headers of all files, which the build writes. It is not sent.
const HEADERS: &str = "_headers";
const INDEX: &str = "index.html";

/// A folder with a built site.
pub struct Site {
    root: PathBuf,
    rules: HeaderRules,
}

/// The error of a folder that is no built site.
#[derive(Debug)]
pub struct NotASite {
    /// The file that is missing or cannot be read.
    pub file: PathBuf,
    pub error: io::Error,
}

impl fmt::Display for NotASite {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.error)
    }
}

impl std::error::Error for NotASite {}

impl Site {
    /// Opens the folder, which has to hold the page and the file with its headers.
    pub fn open(folder: &Path) -> Result<Self, NotASite> {
        let root = fs::canonicalize(folder).map_err(|error| NotASite { file: folder.into(), error })?;
        let headers = root.join(HEADERS);
        let text = fs::read_to_string(&headers).map_err(|error| NotASite { file: headers, error })?;
        let index = root.join(INDEX);
        fs::metadata(&index).map_err(|error| NotASite { file: index, error })?;
        Ok(Self { root, rules: HeaderRules::read(&text) })
    }

    /// The answer to a request for a path, which begins with a slash and has been decoded (no `%20`): its
    /// file, or status 404.
    pub fn answer(&self, path: &str) -> Response {
        let name = if path == "/" { INDEX } else { &path[1..] };
        let Some((file, bytes)) = self.find(name) else {
            return Response::text(404, "There is no such file.").with_all(self.rules.of(path));
        };
        let mut response = Response::new(200, type_of(name), Body::File { file, bytes });
        response = response.with_all(self.rules.of(path));
        // Files without a rule of their own are asked for again each time, so that a new build is seen at
        // once.
        if !response.has("Cache-Control") {
            response = response.with("Cache-Control", "no-cache");
        }
        response
    }

    /// Opens a file of the site, and returns it with its length in bytes. Nothing outside of the folder is
    /// found, whatever the path and the symbolic links in the folder say.
    fn find(&self, name: &str) -> Option<(File, u64)> {
        let is_name = |part: &str| {
            !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0']) && part != HEADERS
        };
        if !name.split('/').all(is_name) {
            return None;
        }
        let file = fs::canonicalize(self.root.join(name)).ok()?;
        if !file.starts_with(&self.root) {
            return None;
        }
        let file = File::open(file).ok()?;
        let metadata = file.metadata().ok()?;
        metadata.is_file().then_some((file, metadata.len()))
    }
}

/// The type of a file's content, by the ending of its name.
fn type_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        "ico" => "image/x-icon",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
