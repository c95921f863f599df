use super::value::{IsColor, Value};

/// What a theme in JSON gives for a parameter.
#[derive(Clone, Copy)]
pub(super) enum Given<'a> {
    Text(&'a str),
    Switch(bool),
}

/// A parameter of a theme, whether set or not, and of whatever type.
pub(super) trait Parameter {
    /// Sets the parameter, or returns what it must be.
    fn set(&mut self, given: Given<'_>, is_color: IsColor<'_>) -> Result<(), &'static str>;

    /// Returns the value as it is sent, before percent-encoding.
    fn text(&self) -> Option<&str>;
}

impl<T: Value> Parameter for Option<T> {
    fn set(&mut self, given: Given<'_>, is_color: IsColor<'_>) -> Result<(), &'static str> {
        let value = match given {
            Given::Text(text) => T::of(text, is_color),
            Given::Switch(_) => None,
        };
        *self = Some(value.ok_or(T::EXPECTED)?);
        Ok(())
    }

    fn text(&self) -> Option<&str> {
        self.as_ref().map(T::text)
    }
}

impl Parameter for Option<bool> {
    fn set(&mut self, given: Given<'_>, _: IsColor<'_>) -> Result<(), &'static str> {
        let Given::Switch(is_on) = given else { return Err("true or false, 1 or 0") };
        *self = Some(is_on);
        Ok(())
    }

    fn text(&self) -> Option<&str> {
        self.map(|is_on| if is_on { "1" } else { "0" })
    }
}
