//! Finds tests that read a page once, at whatever moment that is, where an assertion of
//! `tests/e2e/support/shown.mjs` would wait for what is expected.

/// What Playwright reads of an element without waiting for a value.
const READS: [&str; 13] = [
    ".innerText()",
    ".textContent()",
    ".allInnerTexts()",
    ".allTextContents()",
    ".inputValue()",
    ".count()",
    ".isVisible()",
    ".isHidden()",
    ".isEnabled()",
    ".isDisabled()",
    ".isChecked()",
    ".getAttribute(",
    ".title()",
];
/// What repeats the reads in its parentheses, and functions for it.
const REPEATING: [&str; 4] = ["eventually(", "passTimeUntil(", "async () =>", "async (name) =>"];
/// The comment above a read of what cannot change any more, which says why.
const SETTLED: &str = "// settled: ";

/// Returns the numbers of the lines that read once, counted from 0.
pub(crate) fn single_reads(lines: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    // The indentation of the call whose lines are repeated.
    let mut repeated: Option<usize> = None;
    let mut is_settled = false;
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indentation = line.len() - code.len();
        if let Some(outer) = repeated {
            repeated = (indentation > outer || !code.starts_with('}')).then_some(outer);
            continue;
        }
        let repeats = REPEATING.iter().any(|name| code.contains(name));
        if repeats && code.ends_with('{') {
            repeated = Some(indentation);
        }
        if !repeats && !is_settled && reads(&without_texts(code)) {
            found.push(at);
        }
        is_settled = code.starts_with(SETTLED);
    }
    found
}

fn reads(code: &str) -> bool {
    let awaited = code.split_once("await ").map(|(_, awaited)| awaited);
    awaited.is_some_and(|code| READS.iter().any(|read| code.contains(read)))
}

/// Removes what quotes enclose: selectors, and scripts that run in the page.
fn without_texts(code: &str) -> String {
    let mut quote: Option<char> = None;
    code.chars()
        .filter(|c| match quote {
            Some(open) => {
                if *c == open {
                    quote = None;
                }
                false
            }
            None => {
                quote = Some(*c).filter(|c| "\"'`".contains(*c));
                quote.is_none()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_that_nothing_repeats_is_found() {
        for line in [
            r#"assert.equal(await notice.innerText(), "Paid");"#,
            r#"assert.equal(await page.locator("a[href='/']").count(), 0);"#,
            "const before = await price.innerText();",
            r#"assert.equal(await city.getAttribute("aria-invalid"), "true");"#,
            "if (await input.isVisible()) return;",
        ] {
            assert_eq!(single_reads(&[line]), [0], "{line}");
        }
        let after = ["// settled: it is sent.", "await a.count();", "await a.count();"];
        assert_eq!(single_reads(&after), [2], "one read a comment");
        let block =
            ["  await eventually(async () => {", "    await a.count();", "  });", "  await a.count();"];
        assert_eq!(single_reads(&block), [3]);
    }

    #[test]
    fn repeated_and_settled_reads_and_those_of_scripts_are_not() {
        for line in [
            r#"await shows(notice, "Paid");"#,
            "await eventually(async () => assert.ok(await a.isVisible()));",
            "await passTimeUntil(page, () => notice.count());",
            "const texts = async () => (await prices.allInnerTexts()).join();",
            r#"assert.equal(await page.evaluate("control.getAttribute('name')"), "a");"#,
        ] {
            assert_eq!(single_reads(&[line]), [0; 0], "{line}");
        }
        let settled = ["// settled: the form is ready.", "const [first] = await labels.allTextContents();"];
        assert_eq!(single_reads(&settled), [0; 0]);
        let block = ["await eventually(async () => {", "  if (x) {", "    await a.count();", "  }", "});"];
        assert_eq!(single_reads(&block), [0; 0]);
    }
}
