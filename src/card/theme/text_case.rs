use super::value;

value::choice! {
    /// A letter case.
    TextCase, "UPPER, lower, Capitalize or Default" {
        /// All letters are capitals.
        Upper = "UPPER",
        /// No letter is a capital.
        Lower = "lower",
        /// Each word begins with a capital.
        Capitalize = "Capitalize",
        /// As the form's texts are.
        Default = "Default",
    }
}
