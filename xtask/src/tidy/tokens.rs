//! Splits Rust code into a flat list of tokens. The rules need no grammar.
//!
//! The list includes the tokens in macro calls. It excludes comments, doc comments and other
//! attributes, and `#[cfg(test)]` modules.

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A token, and the line in which it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// The number of the line, from 1.
    pub(super) line: usize,
    /// The token's kind and content.
    pub(super) kind: Kind,
}

/// The kind of a token. The list of tokens has no literals except strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or a keyword.
    Word(String),
    /// The content of a string literal.
    Text(String),
    /// One character of punctuation, or a bracket.
    Sign(char),
}

impl Token {
    /// Returns the name, if the token is an identifier or keyword.
    pub(super) fn word(&self) -> Option<&str> {
        if let Kind::Word(word) = &self.kind {
            Some(word)
        } else {
            None
        }
    }

    /// Returns the content, if the token is a string literal.
    pub(super) fn text(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind {
            Some(text)
        } else {
            None
        }
    }

    /// Returns true if the token is this sign.
    pub(super) fn is(&self, sign: char) -> bool {
        self.kind == Kind::Sign(sign)
    }
}

/// Returns the tokens of `source`.
///
/// # Errors
/// Returns an error if `source` is not Rust.
pub(super) fn tokens(source: &str) -> Result<Vec<Token>> {
    let stream: TokenStream = source.parse().map_err(|error| anyhow!("{error}"))?;
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    Ok(tokens)
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    let mut under_test = false;
    while let Some(tree) = trees.next() {
        if let Some(attribute) = attribute(&tree, &mut trees) {
            under_test |= attribute.replace(' ', "") == "cfg(test)";
            continue;
        }
        let ends_item = matches!(&tree, TokenTree::Punct(sign) if sign.as_char() == ';')
            || matches!(&tree, TokenTree::Group(body) if body.delimiter() == Delimiter::Brace);
        if !under_test {
            push(tree, tokens);
        }
        under_test &= !ends_item;
    }
}

/// Returns the content of the attribute `#[…]` or `#![…]` that begins at this token; `None` if none
/// begins here.
fn attribute(
    tree: &TokenTree,
    rest: &mut std::iter::Peekable<impl Iterator<Item = TokenTree>>,
) -> Option<String> {
    let is = |tree: &TokenTree, sign| matches!(tree, TokenTree::Punct(p) if p.as_char() == sign);
    if !is(tree, '#') {
        return None;
    }
    rest.next_if(|next| is(next, '!'));
    let bracket = |next: &TokenTree| matches!(next, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
    match rest.next_if(bracket)? {
        TokenTree::Group(group) => Some(group.stream().to_string()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    }
}

fn push(tree: TokenTree, tokens: &mut Vec<Token>) {
    let line = tree.span().start().line;
    match tree {
        TokenTree::Ident(word) => tokens.push(Token {
            line,
            kind: Kind::Word(word.to_string()),
        }),
        TokenTree::Punct(sign) => tokens.push(Token {
            line,
            kind: Kind::Sign(sign.as_char()),
        }),
        TokenTree::Literal(literal) => {
            let text = string(&literal.to_string());
            tokens.extend(text.map(|text| Token {
                line,
                kind: Kind::Text(text),
            }));
        }
        TokenTree::Group(group) => {
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ('(', ')'),
                Delimiter::Brace => ('{', '}'),
                Delimiter::Bracket => ('[', ']'),
                Delimiter::None => (' ', ' '),
            };
            tokens.push(Token {
                line,
                kind: Kind::Sign(open),
            });
            flatten(group.stream(), tokens);
            let line = group.span_close().start().line;
            tokens.push(Token {
                line,
                kind: Kind::Sign(close),
            });
        }
    }
}

/// Returns the text between the quotes of a string literal. Escapes are not decoded.
fn string(literal: &str) -> Option<String> {
    let body = literal.trim_start_matches(['r', '#']).trim_end_matches('#');
    let body = body.strip_prefix('"')?.strip_suffix('"')?;
    Some(body.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        let tokens = tokens(source).unwrap();
        tokens
            .iter()
            .filter_map(Token::word)
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn comments_attributes_and_test_modules_are_not_seen() {
        let source = "/// web_sys\n#[derive(Debug)]\nstruct A; // js_sys\n#[cfg(test)]\nmod tests { fn hidden() {} }\nfn after() {}";
        assert_eq!(words(source), ["struct", "A", "fn", "after"]);
    }

    #[test]
    fn macro_bodies_are_seen_with_their_lines_and_strings() {
        let tokens = tokens("fn a() {\n    view! { p { (t(\"done\")) } }\n}").unwrap();
        let done = tokens
            .iter()
            .find(|token| token.text() == Some("done"))
            .unwrap();
        assert_eq!(done.line, 2);
    }

    #[test]
    fn raw_strings_lose_their_fences() {
        let cases = [
            ("\"a\"", Some("a")),
            ("r#\"a\"#", Some("a")),
            ("1", None),
            ("'a'", None),
            ("b\"a\"", None),
        ];
        for (literal, expected) in cases {
            assert_eq!(string(literal).as_deref(), expected, "{literal}");
        }
    }
}
