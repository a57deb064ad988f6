//! The differences between two texts, line by line.

/// A line in the comparison of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line that is in both texts.
    Same(&'a str),
    /// A line that is only in the first text.
    Gone(&'a str),
    /// A line that is only in the second text.
    New(&'a str),
}

/// Compares two texts, and returns the lines of both in order. As many equal lines as possible are
/// matched (the longest common subsequence). The algorithm fills a table of all pairs of lines,
/// which is fast enough because prompts have few lines.
pub fn difference<'a>(before: &'a str, after: &'a str) -> Vec<Line<'a>> {
    let before: Vec<&str> = before.lines().collect();
    let after: Vec<&str> = after.lines().collect();
    let width = after.len() + 1;
    // For each pair of lines, the maximum number of matches from this pair to the end of both
    // texts.
    let mut same = vec![0_u32; (before.len() + 1) * width];
    let at = |same: &[u32], row: usize, column: usize| {
        same.get(row * width + column).copied().unwrap_or_default()
    };
    for (row, old) in before.iter().enumerate().rev() {
        for (column, new) in after.iter().enumerate().rev() {
            let best = if old == new {
                at(&same, row + 1, column + 1) + 1
            } else {
                at(&same, row + 1, column).max(at(&same, row, column + 1))
            };
            if let Some(cell) = same.get_mut(row * width + column) {
                *cell = best;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut lines = Vec::new();
    loop {
        match (before.get(row), after.get(column)) {
            (Some(old), Some(new)) if old == new => {
                lines.push(Line::Same(old));
                row += 1;
                column += 1;
            }
            (Some(old), new)
                if new.is_none() || at(&same, row + 1, column) >= at(&same, row, column + 1) =>
            {
                lines.push(Line::Gone(old));
                row += 1;
            }
            (_, Some(new)) => {
                lines.push(Line::New(new));
                column += 1;
            }
            (_, None) => return lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn shown(before: &str, after: &str) -> String {
        let lines = difference(before, after)
            .into_iter()
            .map(|line| match line {
                Line::Same(line) => format!(" {line}"),
                Line::Gone(line) => format!("-{line}"),
                Line::New(line) => format!("+{line}"),
            });
        lines.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_stays_stays_and_what_goes_stands_before_what_comes() {
        for (before, after, expected) in [
            ("", "", ""),
            ("a\nb", "a\nb", " a| b"),
            ("a\nb\nc", "a\nx\nc\nd", " a|-b|+x| c|+d"),
            ("", "a", "+a"),
            ("a\nb", "", "-a|-b"),
            ("a\nb\na", "b\na\nb", "-a| b| a|+b"),
        ] {
            assert_eq!(shown(before, after), expected, "{before:?} {after:?}");
        }
    }

    quickcheck! {
        fn both_texts_stand_in_their_difference(before: Vec<u8>, after: Vec<u8>) -> bool {
            let text = |lines: &[u8]| {
                let lines = lines.iter().map(|it| format!("{}\n", it % 4));
                lines.collect::<String>()
            };
            let (before, after) = (text(&before), text(&after));
            let lines = difference(&before, &after);
            let old: String = lines.iter().filter_map(|line| match line {
                Line::Same(line) | Line::Gone(line) => Some(format!("{line}\n")),
                Line::New(_) => None,
            }).collect();
            let new: String = lines.iter().filter_map(|line| match line {
                Line::Same(line) | Line::New(line) => Some(format!("{line}\n")),
                Line::Gone(_) => None,
            }).collect();
            old == before && new == after
        }
    }
}
