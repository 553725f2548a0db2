//! The layers of the source.

#[test]
fn layers_use_those_below_them_only_and_no_module_needs_itself() {
    test_tools::assert_layers(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("state", &[]),
            ("matches", &["state"]),
            ("contests", &["matches", "state"]),
            ("teams", &["matches", "state"]),
            ("http", &["contests", "teams", "matches", "state"]),
            ("pages", &["http", "contests", "teams", "matches", "state"]),
        ],
    );
}
