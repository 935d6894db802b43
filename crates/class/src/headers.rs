//! The HTTP headers of the site's files. The build writes them into the file `_headers` of the site, in the
//! format that hosts such as Netlify read: a line with a path, which may end with a star for all paths that
//! begin so, and below it indented lines `Name: value`.

/// The rules of a file `_headers`.
pub struct HeaderRules(Vec<Rule>);

/// The headers of one path, or of all paths with one beginning.
struct Rule {
    /// Begins with a slash, and may end with a star.
    path: String,
    headers: Vec<(String, String)>,
}

impl HeaderRules {
    /// Reads the rules. A line that is neither a path nor a header below a path is left out.
    pub fn read(text: &str) -> Self {
        let mut rules: Vec<Rule> = Vec::new();
        for line in text.lines() {
            if line.starts_with('/') {
                rules.push(Rule { path: line.trim_end().to_owned(), headers: Vec::new() });
            } else if let (true, Some(rule), Some((name, value))) =
                (line.starts_with(' '), rules.last_mut(), line.split_once(':'))
            {
                let (name, value) = (name.trim(), value.trim());
                let is_name =
                    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
                if is_name && value.bytes().all(|b| b.is_ascii_graphic() || b == b' ') {
                    rule.headers.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        Self(rules)
    }

    /// The headers of a path, which begins with a slash: those of all rules that apply to it.
    pub fn of<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a (String, String)> {
        let applies = move |rule: &&Rule| match rule.path.strip_suffix('*') {
            Some(beginning) => path.starts_with(beginning),
            None => path == rule.path,
        };
        self.0.iter().filter(applies).flat_map(|rule| &rule.headers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_give_a_path_all_headers_that_match() {
        let text = "/*\n  A: 1\n/\n  B: x; y: 'z'\n/assets/*\n  C: 3\n bad\n  D\u{0}: 4\nodd\n";
        let rules = HeaderRules::read(text);
        let of = |path| rules.of(path).map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        assert_eq!(of("/"), ["A=1", "B=x; y: 'z'"]);
        assert_eq!(of("/assets/x.js"), ["A=1", "C=3"]);
        assert_eq!(of("/other"), ["A=1"]);
        assert!(HeaderRules::read("  A: 1").of("/").next().is_none());
    }
}
