//! Rust source as words and signs, without comments and literals; and the paths in it that start in
//! the crate's root. Not a parser: it knows just enough to be right about paths.

/// A word or sign, and its line.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Token<'a> {
    Word(&'a str),
    /// `::`
    PathSign,
    Sign(char),
}

pub(super) struct Source<'a> {
    tokens: Vec<(usize, Token<'a>)>,
}

impl<'a> Source<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let mut reader = Reader { rest: text, line: 1 };
        let mut tokens = Vec::new();
        while let Some(token) = reader.next() {
            tokens.push(token);
        }
        Source { tokens }
    }

    pub(super) fn words(&self) -> impl Iterator<Item = (usize, &'a str)> {
        self.tokens.iter().filter_map(|(line, token)| match token {
            Token::Word(word) => Some((*line, *word)),
            _ => None,
        })
    }

    /// The first name of every path that starts in the crate's root, by `crate` or by `super`s that
    /// lead there from `modules`, the module path of the file. A glob is the name `*`.
    pub(super) fn names_in_root(&self, modules: &[String]) -> Vec<(usize, &'a str)> {
        let mut names = Vec::new();
        // How deep in braces we are, and at which depths an inline module began.
        let mut depth = 0_usize;
        let mut inline: Vec<usize> = Vec::new();
        for at in 0..self.tokens.len() {
            match self.token(at) {
                Some(Token::Sign('{')) => {
                    depth += 1;
                    let is_module = matches!(self.token(at.wrapping_sub(2)), Some(Token::Word("mod")));
                    if is_module {
                        inline.push(depth);
                    }
                }
                Some(Token::Sign('}')) => {
                    if inline.last() == Some(&depth) {
                        inline.pop();
                    }
                    depth = depth.saturating_sub(1);
                }
                Some(Token::Word("crate")) if self.goes_on(at) => self.collect(at + 2, &mut names),
                Some(Token::Word("super")) if !self.is_continued(at) => {
                    let (count, next) = self.supers(at);
                    if count == modules.len() + inline.len() {
                        self.collect(next, &mut names);
                    }
                }
                _ => {}
            }
        }
        names
    }

    fn token(&self, at: usize) -> Option<Token<'a>> {
        self.tokens.get(at).map(|(_, token)| *token)
    }

    fn goes_on(&self, at: usize) -> bool {
        self.token(at + 1) == Some(Token::PathSign)
    }

    /// Whether the word at `at` is a later part of a path that does not begin with `self`.
    fn is_continued(&self, at: usize) -> bool {
        self.token(at.wrapping_sub(1)) == Some(Token::PathSign)
            && self.token(at.wrapping_sub(2)) != Some(Token::Word("self"))
    }

    /// How many `super::` follow one another, and where the path goes on after them.
    fn supers(&self, at: usize) -> (usize, usize) {
        let (mut count, mut at) = (0, at);
        while self.token(at) == Some(Token::Word("super")) && self.goes_on(at) {
            count += 1;
            at += 2;
        }
        (count, at)
    }

    /// The names at `at`: one, or each that begins an entry of a group in braces.
    fn collect(&self, at: usize, names: &mut Vec<(usize, &'a str)>) {
        match self.tokens.get(at) {
            Some((line, Token::Word(name))) => names.push((*line, name)),
            Some((line, Token::Sign('*'))) => names.push((*line, "*")),
            Some((_, Token::Sign('{'))) => {
                let mut depth = 1_usize;
                let mut begins = true;
                for (offset, (_, token)) in self.tokens.iter().skip(at + 1).enumerate() {
                    match token {
                        Token::Sign('{') => depth += 1,
                        Token::Sign('}') => depth -= 1,
                        Token::Sign(',') if depth == 1 => {
                            begins = true;
                            continue;
                        }
                        _ if begins && depth == 1 => self.collect(at + 1 + offset, names),
                        _ => {}
                    }
                    begins = false;
                    if depth == 0 {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        loop {
            let first = self.rest.chars().next()?;
            if let Some(length) = self.skipped(first) {
                self.take(length);
                continue;
            }
            let line = self.line;
            let token = if is_word(first) {
                let length = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
                Token::Word(self.take(length))
            } else if self.rest.starts_with("::") {
                self.take(2);
                Token::PathSign
            } else {
                self.take(first.len_utf8());
                Token::Sign(first)
            };
            return Some((line, token));
        }
    }

    /// The length of what stands here and is neither word nor sign.
    fn skipped(&self, first: char) -> Option<usize> {
        let rest = self.rest;
        if first.is_whitespace() {
            return Some(first.len_utf8());
        }
        if rest.starts_with("//") {
            return Some(rest.find('\n').unwrap_or(rest.len()));
        }
        if rest.starts_with("/*") {
            return Some(block_comment(rest));
        }
        match first {
            '"' => Some(quoted(rest, '"')),
            '\'' => character(rest),
            'r' | 'b' | 'c' => {
                let unprefixed = rest.trim_start_matches(['r', 'b', 'c']);
                let prefix = rest.len() - unprefixed.len();
                if prefix > 2 {
                    return None;
                }
                let raw = rest.get(..prefix).is_some_and(|prefix| prefix.contains('r'));
                let length = match (raw, unprefixed.chars().next()) {
                    (true, Some('"' | '#')) => raw_string(unprefixed)?,
                    (false, Some('"')) => quoted(unprefixed, '"'),
                    (false, Some('\'')) => quoted(unprefixed, '\''),
                    _ => return None,
                };
                Some(prefix + length)
            }
            _ => None,
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Block comments hold further ones.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            let Some(c) = rest.chars().next() else { break };
            at += c.len_utf8();
        }
    }
    text.len()
}

/// From one quotation mark to the next that no backslash precedes.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == mark {
            return at + mark.len_utf8();
        }
    }
    text.len()
}

/// A character in quotation marks; `None` for a lifetime.
fn character(text: &str) -> Option<usize> {
    let mut rest = text.chars().skip(1);
    match (rest.next(), rest.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => Some(quoted(text, '\'')),
        _ => None,
    }
}

/// `"…"` or `#"…"#` with any number of `#`; `None` for a raw identifier.
fn raw_string(text: &str) -> Option<usize> {
    let content = text.trim_start_matches('#');
    let hashes = text.len() - content.len();
    let content = content.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = content.find(&end).map_or(content.len(), |at| at + end.len());
    Some(hashes + 1 + length)
}
