//! Measures of a page that hold for all of them: accessibility, layout shift, and frames per second.

use super::Tab;
use serde_json::Value;

/// The package of axe-core, in the version of `.ci/tools`.
const AXE: &str = "npm:axe-core@4.14.1";

/// Runs the rules of axe-core; the value is a list of violations with the elements that they are about. Without preloading: pages
/// forbid axe-core to fetch their styles, and only rules that are off need that.
const VIOLATIONS: &str = "axe.run({ preload: false }).then(({ violations }) => violations.map(({ id, help, nodes }) => \
     `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`))";

/// All layout shifts so far, apart from those shortly after input: how far, and the elements that moved.
const LAYOUT_SHIFTS: &str = "new Promise((done) => {
      const shifts = [];
      const name = ({ node }) => (node ? node.nodeName + (node.id && `#${node.id}`) + (node.className && `.${node.className}`) : 'removed');
      const add = (entries) => entries.filter((entry) => !entry.hadRecentInput)
        .forEach(({ value, sources }) => shifts.push([value, sources.map(name).join(', ')]));
      const observer = new PerformanceObserver((list) => add(list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
      // Entries come a frame late.
      const frame = (left) => (left > 0 ? requestAnimationFrame(() => frame(left - 1)) : (add(observer.takeRecords()), done(shifts)));
      frame(3);
    })";

impl Tab<'_> {
    /// Fails if axe-core finds a violation on the page as it is. Without an installed axe-core nothing is checked.
    #[track_caller]
    pub(crate) fn assert_accessible(&self) {
        let Some(folder) = test_tools::required(AXE) else { return };
        let script = std::fs::read_to_string(folder.join("axe.min.js")).unwrap();
        let _: Value = self.value(&format!("{script}; 0"));
        assert_eq!(self.value::<Vec<String>>(VIOLATIONS), Vec::<String>::new());
    }

    /// The same in the light and in the dark theme.
    #[track_caller]
    pub(crate) fn assert_accessible_in_both_themes(&self) {
        for theme in ["light", "dark"] {
            self.prefers(&[("prefers-color-scheme", theme)]);
            self.assert_accessible();
        }
        self.prefers(&[]);
    }

    /// The layout shifts so far, apart from those within half a second after input: the score of each, and what moved.
    #[track_caller]
    pub(crate) fn layout_shifts(&self) -> Vec<(f64, String)> {
        self.value(LAYOUT_SHIFTS)
    }

    /// The frames per second at the median of so many frames from now on.
    #[track_caller]
    pub(crate) fn frames_per_second(&self, frames: usize) -> f64 {
        let times: Vec<f64> = self.value(&format!(
            "new Promise((done) => {{ const times = []; const next = (now) => {{ times.push(now); \
             if (times.length > {frames}) done(times); else requestAnimationFrame(next); }}; requestAnimationFrame(next); }})"
        ));
        let mut spans: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        spans.sort_by(f64::total_cmp);
        1000.0 / spans[spans.len() / 2]
    }
}
