//! Numbers as people type them: in the digits of any script, full-width, with invisible marks.

/// Where the decimal digits of each script begin (Unicode 17, category Nd). Ten follow one another.
#[rustfmt::skip]
static ZEROS: &[u32] = &[
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
    0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40,
    0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da,
    0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60,
    0x16ac0, 0x16b50, 0x16d70, 0x1ccf0, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0,
    0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

/// Returns a decimal digit of any script as an ASCII digit.
pub(super) fn ascii_digit(c: char) -> Option<char> {
    let code = u32::from(c);
    let zero = ZEROS.iter().rev().find(|zero| **zero <= code)?;
    char::from_digit(code - zero, 10)
}

/// Returns whether a character only directs or joins text, so that people paste it without seeing it.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    )
}

/// Returns a text in ASCII as far as it is the same: digits of any script, full-width characters, spaces,
/// hyphens and apostrophes of any kind. Invisible marks are left out.
pub(super) fn to_plain(text: &str) -> String {
    text.chars().filter(|c| !is_invisible(*c)).map(plain_char).collect()
}

fn plain_char(c: char) -> char {
    match c {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2bc}' | '\u{2018}' | '\u{2019}' => '\'',
        '\u{ff01}'..='\u{ff5e}' => u8::try_from(u32::from(c) - 0xfee0).map_or(c, char::from),
        _ => ascii_digit(c).unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_any_script_are_read() {
        for ten in
            ["0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "０１２３４５６７８９", "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡"]
        {
            assert_eq!(to_plain(ten), "0123456789");
        }
        for other in
            ["/", ":", "½", "²", "①", "Ⅳ", "一", "٪", "\u{66a}", "\u{665}\u{301}", "\u{1e953}\u{1e960}"]
        {
            assert_eq!(other.chars().last().and_then(ascii_digit), None, "{other}");
        }
    }

    #[test]
    fn what_looks_the_same_becomes_ascii() {
        assert_eq!(to_plain("\u{200f}ＥＳ９１\u{a0}2100\u{2011}0418\u{3000}x\u{2069}"), "ES91 2100-0418 x");
        assert_eq!(to_plain("Müller ﬁ ² D’Arcy"), "Müller ﬁ ² D'Arcy");
    }
}
