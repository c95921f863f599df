//! The links of INTERPRETATIONS.md have targets.

#[test]
fn every_interpretation_names_an_existing_place() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(folder.join("INTERPRETATIONS.md")).unwrap();
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 25, "{}", rows.len());
    for row in rows {
        let place = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let mut names = place.split('`').skip(1).step_by(2);
        let file = names.next().unwrap();
        let text = std::fs::read_to_string(folder.join("src").join(file)).expect(file);
        for name in names {
            assert!(text.contains(name), "{file} has no {name}: {row}");
        }
    }
}
