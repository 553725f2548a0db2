//! The layers of the source.

#[test]
fn head_and_worker_know_only_what_they_share_and_no_module_needs_itself() {
    test_tools::assert_layers(env!("CARGO_MANIFEST_DIR"), &[("wire", &[]), ("head", &["wire"]), ("worker", &["wire"])]);
}
