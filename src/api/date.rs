//! Dates of the calendar.

/// Returns the date of a time in milliseconds since 1970, `YYYY-MM-DD` in UTC, by Howard Hinnant's
/// `civil_from_days`.
pub(crate) fn date_of(ms: u64) -> String {
    let days = ms / 86_400_000 + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let two = |part: u64| [if part < 10 { "0" } else { "" }, &part.to_string()].concat();
    [year.to_string(), two(month), two(day)].join("-")
}

#[cfg(test)]
mod tests {
    use super::date_of;

    #[test]
    fn dates_are_those_of_the_calendar_for_four_hundred_years() {
        let mut days = 0;
        for year in 1970..2371 {
            let february = if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) { 29 } else { 28 };
            for (month, length) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for day in 1..=length {
                    let expected = format!("{year}-{month:02}-{day:02}");
                    assert_eq!(date_of(days * 86_400_000), expected);
                    assert_eq!(date_of((days + 1) * 86_400_000 - 1), expected);
                    days += 1;
                }
            }
        }
    }
}
