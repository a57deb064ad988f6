//! Parses a page, without the markup that readers don't see.
//!
//! Example: half of a news page's bytes are scripts and styles; their text never enters the tree. A
//! hostile page may nest thousands of elements, and building their tree would take minutes. The
//! tags that are nested too deeply are dropped, but their text stays.

use super::nesting::Nesting;
use dom_query::{Document, NodeId};
use html5ever::TokenizerResult;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use std::cell::{Cell, RefCell};

/// Parses `html` without scripts, styles and comments, and with limited nesting.
pub(super) fn parse(html: &str) -> Document {
    let options = TreeBuilderOpts {
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let filter = Filter {
        builder: TreeBuilder::new(Document::default(), options),
        nesting: RefCell::default(),
        is_in_dropped: Cell::new(false),
    };
    let tokenizer = Tokenizer::new(filter, TokenizerOpts::default());
    let input = BufferQueue::default();
    // The tokenizer is slow at line breaks, and only `<pre>` preserves them and the indentation.
    let is_pre = |name: &str| name.eq_ignore_ascii_case("pre");
    let is_preformatted = html.split('<').any(|tag| tag.get(..3).is_some_and(is_pre));
    input.push_back(if is_preformatted {
        html.into()
    } else {
        let lines: Vec<&str> = html.split('\n').map(str::trim_ascii).collect();
        lines.join(" ").into()
    });
    // The tokenizer pauses after each script that isn't dropped.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.builder.sink.finish()
}

/// Receives the tokens of a page, and passes all that aren't dropped to the tree builder.
struct Filter {
    builder: TreeBuilder<NodeId, Document>,
    nesting: RefCell<Nesting>,
    /// True between the tags of a dropped script or style.
    is_in_dropped: Cell<bool>,
}

impl TokenSink for Filter {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        let is_dropped = match &token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                let raw = if self.adjusted_current_node_present_but_not_in_html_namespace() {
                    None
                } else {
                    dropped(tag)
                };
                if let Some(raw) = raw {
                    self.is_in_dropped.set(true);
                    return TokenSinkResult::RawData(raw);
                }
                !self.nesting.borrow_mut().open(&tag.name)
            }
            Token::TagToken(tag) => {
                self.nesting.borrow_mut().close(&tag.name);
                self.is_in_dropped.replace(false)
            }
            Token::CharacterTokens(_) | Token::NullCharacterToken => self.is_in_dropped.get(),
            Token::CommentToken(_) | Token::ParseError(_) => true,
            Token::DoctypeToken(_) | Token::EOFToken => false,
        };
        if is_dropped {
            return TokenSinkResult::Continue;
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        let builder = &self.builder;
        builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Returns the kind of content of a script or style that is dropped, or `None` for all other tags.
/// Linked data (JSON-LD) is not dropped, because it contains the page's metadata.
fn dropped(tag: &Tag) -> Option<RawKind> {
    let is_linked_data = || tag.attrs.iter().any(|it| it.value.contains("ld+json"));
    match &*tag.name {
        "style" => Some(RawKind::Rawtext),
        "script" if !is_linked_data() => Some(RawKind::ScriptData),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn only_what_no_reader_sees_is_left_out() {
        for (html, expected) in [
            ("<p>a <script>if (a < b) '<p>'</script >b", "<p>a b</p>"),
            ("a <style>p > a {}</style>b <!-- c -->d", "a b d"),
            ("a<!--b--!>c<script></script>", "ac"),
            ("a<script><!--<script></script>--></script>b", "ab"),
            ("<title><script></title>a", "a"),
            (
                "<div><script type='application/ld+json'>{}</script></div>",
                "<div><script type=\"application/ld+json\">{}</script></div>",
            ),
            ("<svg><style>a</style></svg>", "<svg><style>a</style></svg>"),
            ("a<script>b", "a"),
            ("<plaintext><script>", "<plaintext><script></plaintext>"),
        ] {
            let page = parse(html);
            assert_eq!(&*page.select("body").inner_html(), expected, "{html}");
        }
    }
}
