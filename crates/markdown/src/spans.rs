//! What is open at the end of a block's words.
//!
//! One pass from left to right with a stack of brackets and one of emphasis. It
//! need not agree with `CommonMark` on every oddity: it only decides what to close
//! or to hold back for a moment; the parser has the last word.

/// A label or a tag longer than this is shown as it stands, in bytes.
const LONGEST_LABEL: usize = 600;
/// An address longer than this is shown as it stands, in bytes.
const LONGEST_ADDRESS: usize = 2_400;
/// An address with more parentheses within parentheses is none (as the parser has it).
const MOST_PARENTHESES: usize = 32;

/// What to do about the end of some words.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Show nothing from this byte on.
    From(usize),
    /// Show all, and close what is open.
    Nothing {
        /// The marks that close it.
        closers: String,
    },
}

/// Emphasis that is open.
struct Run {
    mark: char,
    count: usize,
}

/// The marks seen so far.
#[derive(Default)]
struct Spans {
    runs: Vec<Run>,
    /// How many of those are of underscores.
    underscores: usize,
    brackets: Vec<usize>,
    /// The last bracket that closed: where it began and ended.
    label: Option<(usize, usize)>,
}

/// What the end of `words` leaves open.
pub(super) fn scan(words: &str) -> Held {
    if let Some(at) = trailing_marks(words) {
        return Held::From(at);
    }
    let mut spans = Spans::default();
    let mut at = 0;
    while let Some(character) = rest(words, at).chars().next() {
        let next = match character {
            '\\' => Ok(at + 1 + rest(words, at + 1).chars().next().map_or(0, char::len_utf8)),
            '`' => match code(words, at) {
                Ok(end) => Ok(end),
                Err(closer) if spans.brackets.is_empty() => {
                    return Held::Nothing {
                        closers: closer + &spans.closers(),
                    };
                }
                Err(_) => break,
            },
            '<' => angle(words, at),
            '&' => entity(words, at),
            '[' => Ok(spans.opens(words, at)),
            ']' => spans.closes(words, at),
            '*' | '_' => Ok(spans.run(words, at, character)),
            other => Ok(at + other.len_utf8()),
        };
        match next {
            Ok(next) => at = next,
            Err(held) => return Held::From(held),
        }
    }
    let open = spans.brackets.iter().copied();
    let short = |at: &usize| words.len() - at <= LONGEST_LABEL;
    match open.clone().find(short) {
        Some(at) => Held::From(at),
        None => Held::Nothing {
            closers: spans.closers(),
        },
    }
}

fn rest(words: &str, at: usize) -> &str {
    words.get(at..).unwrap_or_default()
}

/// Marks at the very end, whose meaning the next character decides.
fn trailing_marks(words: &str) -> Option<usize> {
    let bare = words.trim_end_matches(['*', '_', '`', '\\', '<']);
    let bare = match bare.strip_suffix('!') {
        Some(before) if before.is_empty() || before.ends_with(char::is_whitespace) => before,
        _ => bare,
    };
    (bare.len() < words.len()).then_some(bare.len())
}

/// The end of a code span, or what closes it.
fn code(words: &str, at: usize) -> Result<usize, String> {
    let count = run_length(words, at, '`');
    let mut from = at + count;
    while let Some(found) = rest(words, from).find('`') {
        let length = run_length(words, from + found, '`');
        from += found + length;
        if length == count {
            return Ok(from);
        }
    }
    Err("`".repeat(count))
}

/// The end of an autolink or a tag, or where a half-written one begins.
fn angle(words: &str, at: usize) -> Result<usize, usize> {
    let inner = rest(words, at + 1);
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
        return Ok(at + 1);
    }
    let end = inner.find(|c: char| c == '>' || c == '<' || c.is_whitespace());
    match end {
        Some(end) if inner.get(end..).is_some_and(|end| end.starts_with('>')) => Ok(at + end + 2),
        None if inner.len() <= LONGEST_ADDRESS => Err(at),
        _ => Ok(at + 1),
    }
}

/// Past the mark, or where a half-written entity begins.
fn entity(words: &str, at: usize) -> Result<usize, usize> {
    let inner = rest(words, at + 1);
    let half = inner.len() < 32 && inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '#');
    if half { Err(at) } else { Ok(at + 1) }
}

fn run_length(words: &str, at: usize, mark: char) -> usize {
    let run = rest(words, at);
    run.len() - run.trim_start_matches(mark).len()
}

impl Spans {
    fn opens(&mut self, words: &str, at: usize) -> usize {
        let image = words.get(..at).is_some_and(|before| before.ends_with('!'));
        let start = match self.label {
            // The second bracket of `[words][label]`.
            Some((start, end)) if end == at => start,
            _ => at - usize::from(image),
        };
        self.brackets.push(start);
        at + 1
    }

    /// Past a bracket and the address that follows it, or where to hold back from.
    fn closes(&mut self, words: &str, at: usize) -> Result<usize, usize> {
        let after = rest(words, at + 1);
        let Some(start) = self.brackets.pop() else {
            return Ok(at + 1);
        };
        self.label = Some((start, at + 1));
        let label = words.get(start..=at).unwrap_or_default();
        if label.starts_with("[[") && !label.starts_with("[[[") {
            // A citation is whole; anything else in two brackets is words.
            return Ok(at + 1);
        }
        if after.is_empty() && self.brackets.is_empty() && label.len() <= LONGEST_LABEL {
            return Err(start);
        }
        if !after.starts_with('(') {
            return Ok(at + 1);
        }
        let mut depth = 0_usize;
        let mut escaped = false;
        for (index, character) in after.char_indices() {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(at + 2 + index);
            }
            // No address, and no further: else each bracket would cost all that follows it.
            if depth > MOST_PARENTHESES || index > LONGEST_ADDRESS {
                return Ok(at + 1);
            }
        }
        Err(start)
    }

    /// Past a run of emphasis marks, which closes what it can and may open.
    fn run(&mut self, words: &str, at: usize, mark: char) -> usize {
        let mut count = run_length(words, at, mark);
        let end = at + count;
        let before = words.get(..at).and_then(|b| b.chars().next_back());
        let after = rest(words, end).chars().next();
        let (opens, closes) = flanks(mark, before, after);
        while closes && count > 0 {
            // Counted, as a mark that nothing opened would look through all that is open.
            if self.open_of(mark) == 0 {
                break;
            }
            while self.runs.last().is_some_and(|run| run.mark != mark) {
                self.pop();
            }
            let Some(run) = self.runs.last_mut() else {
                break;
            };
            let used = run.count.min(count);
            count -= used;
            run.count -= used;
            if run.count == 0 {
                self.pop();
            }
        }
        if opens && (1..=3).contains(&count) {
            self.runs.push(Run { mark, count });
            self.underscores += usize::from(mark == '_');
        }
        end
    }

    /// How many runs of a mark are open.
    fn open_of(&self, mark: char) -> usize {
        match mark {
            '_' => self.underscores,
            _ => self.runs.len() - self.underscores,
        }
    }

    fn pop(&mut self) {
        let popped = self.runs.pop();
        self.underscores -= usize::from(popped.is_some_and(|run| run.mark == '_'));
    }

    fn closers(&self) -> String {
        let runs = self.runs.iter().rev();
        runs.flat_map(|run| std::iter::repeat_n(run.mark, run.count))
            .collect()
    }
}

/// Whether a run may open, and close, emphasis (`CommonMark` §6.2).
fn flanks(mark: char, before: Option<char>, after: Option<char>) -> (bool, bool) {
    let space = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let punctuation = |c: Option<char>| c.is_some_and(is_punctuation);
    let left = !space(after) && (!punctuation(after) || space(before) || punctuation(before));
    let right = !space(before) && (!punctuation(before) || space(after) || punctuation(after));
    if mark == '_' {
        let opens = left && (!right || punctuation(before));
        (opens, right && (!left || punctuation(after)))
    } else {
        (left, right)
    }
}

fn is_punctuation(character: char) -> bool {
    !character.is_alphanumeric() && !character.is_whitespace()
}
