use super::value;

value::choice! {
    /// A language of the form.
    Language, "en or es-MX" {
        /// English.
        English = "en",
        /// Spanish of Mexico.
        MexicanSpanish = "es-MX",
    }
}
