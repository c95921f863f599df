use super::color::is_one_of;
use super::value::{self, IsColor, Value};

/// The radius of corners: a CSS length such as `8px`, `0.5rem`, `50%` or `0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Radius(Box<str>);

/// The distance between letters: a CSS length such as `0.05em`, `-0.5px` or `0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spacing(Box<str>);

value::shown!(Radius);
value::from_text!(Radius);

impl Value for Radius {
    const NAME: &'static str = "Radius";
    const EXPECTED: &'static str = "a string with a CSS length, such as 8px, 0.5rem, 50% or 0";

    fn of(text: &str, _: IsColor<'_>) -> Option<Self> {
        is_length(text, Some("%")).then(|| Radius(text.into()))
    }

    fn text(&self) -> &str {
        &self.0
    }
}

value::shown!(Spacing);
value::from_text!(Spacing);

impl Value for Spacing {
    const NAME: &'static str = "Spacing";
    const EXPECTED: &'static str = "a string with a CSS length, such as 0.05em, -0.5px or 0";

    fn of(text: &str, _: IsColor<'_>) -> Option<Self> {
        is_length(text.strip_prefix('-').unwrap_or(text), None).then(|| Spacing(text.into()))
    }

    fn text(&self) -> &str {
        &self.0
    }
}

fn is_length(text: &str, percentage_unit: Option<&str>) -> bool {
    #[rustfmt::skip]
    const UNITS: &[&str] = &[
        "px", "rem", "em", "pt", "ch", "ex", "vw", "vh", "cm", "mm", "in", "pc", "q", "lh", "rlh", "ic", "cap",
        "vmin", "vmax", "vi", "vb", "svw", "svh", "lvw", "lvh", "dvw", "dvh",
    ];
    let number_end =
        text.bytes().position(|byte| !byte.is_ascii_digit() && byte != b'.').unwrap_or(text.len());
    let Some((number, unit)) = text.split_at_checked(number_end) else { return false };
    let mut parts = number.as_bytes().split(|byte| *byte == b'.');
    let (whole, fraction) = (parts.next().unwrap_or(b""), parts.next());
    !number.is_empty()
        && whole.len() <= 5
        && fraction.is_none_or(|fraction| (1..=5).contains(&fraction.len()))
        && parts.next().is_none()
        && match unit {
            "" => number.bytes().all(|byte| matches!(byte, b'0' | b'.')),
            unit => is_one_of(UNITS, unit) || percentage_unit == Some(unit),
        }
}

#[cfg(test)]
#[rustfmt::skip]
mod tests {
    use super::super::value::tests::assert_accepts;
    use super::*;

    #[test]
    fn a_length_is_a_number_with_a_unit() {
        let lengths = [
            "0", "0.0", "8px", "0.5rem", ".5em", "12345.12345px", "1pt", "8PX", "0.5Rem",
            "1dvh", "2vmin",
        ];
        assert_accepts::<Radius>(true, &lengths);
        assert_accepts::<Spacing>(true, &lengths);
        assert_accepts::<Radius>(true, &["50%"]);
        assert_accepts::<Radius>(false, &["-1px"]);
        assert_accepts::<Spacing>(true, &["-1px"]);
        assert_accepts::<Spacing>(false, &["50%"]);
        let others = [
            "", "8", "px", "8 px", "8px ", "1.", ".", "1..2px", "1.2.3px", "--1px", "+1px", "1e3px", "123456px",
            "0.123456px", "8pxx", "8px;", "calc(1px)", "8px 8px", "var(--x)", "８px", "NaN", "infinity",
        ];
        assert_accepts::<Radius>(false, &others);
        assert_accepts::<Spacing>(false, &others);
    }
}
