//! A real browser, and pages in it that record everything they should not do.

#[path = "devtools.rs"]
mod devtools;
#[path = "quality.rs"]
mod quality;

use devtools::{DevTools, PATIENCE};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Instant;
use tempfile::TempDir;

/// A running browser.
pub(crate) struct Chromium(DevTools);

impl Chromium {
    /// Runs a test with a browser. Without an installed browser the test is skipped.
    pub(crate) fn run(work: impl FnOnce(&Chromium)) {
        let Some(program) = test_tools::required("chromium-headless-shell") else { return };
        work(&Chromium(DevTools::start(&program)));
    }

    /// Opens an address and waits until its page is ready.
    #[track_caller]
    pub(crate) fn open(&self, address: &str) -> Tab<'_> {
        self.open_sped_up(address, 1)
    }

    /// Opens an address as [`Chromium::open`] does, in a page whose timers run so many times as fast.
    #[track_caller]
    pub(crate) fn open_sped_up(&self, address: &str, times: u32) -> Tab<'_> {
        let target = self.0.call(None, "Target.createTarget", &json!({ "url": "about:blank" })).unwrap();
        let params = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.0.call(None, "Target.attachToTarget", &params).unwrap();
        let tab = Tab { devtools: &self.0, session: attached["sessionId"].as_str().unwrap().to_owned() };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.command(&format!("{domain}.enable"), json!({}));
        }
        if times > 1 {
            let timers = format!(
                "{{ const timer = setTimeout; setTimeout = (work, after = 0) => timer(work, after / {times}); }}"
            );
            tab.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": timers }));
        }
        let answer = tab.command("Page.navigate", json!({ "url": address }));
        assert_eq!(answer.get("errorText"), None, "{address}");
        // A page may say `ready` in its first line, while the rest of it is still being read.
        tab.arrive("document.readyState === 'complete' && 'ready' in document.body.dataset");
        tab
    }
}

/// An open page.
pub(crate) struct Tab<'a> {
    devtools: &'a DevTools,
    session: String,
}

impl Tab<'_> {
    /// The answer to a command of the DevTools Protocol.
    #[track_caller]
    pub(crate) fn command(&self, method: &str, params: Value) -> Value {
        let answer = self.devtools.call(Some(&self.session), method, &params);
        answer.unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    /// The value of a JavaScript expression, or that of its promise. A page that is being left cannot be asked.
    #[track_caller]
    fn evaluate(&self, expression: &str) -> Result<Value, String> {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.devtools.call(Some(&self.session), "Runtime.evaluate", &params)?;
        match answer.get("exceptionDetails") {
            Some(exception) => Err(exception.to_string()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// The value of a JavaScript expression.
    #[track_caller]
    pub(crate) fn value<T: DeserializeOwned>(&self, expression: &str) -> T {
        let value = self.evaluate(expression).and_then(|value| {
            let error = |error| format!("{error}: {value}");
            T::deserialize(&value).map_err(error)
        });
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Goes to another fragment of the same page, such as `#round=3`.
    #[track_caller]
    pub(crate) fn visit(&self, hash: &str) {
        let _: String = self.value(&format!("location.hash = {hash:?}"));
    }

    /// Waits until a JavaScript expression is true.
    #[track_caller]
    pub(crate) fn until(&self, expression: &str) {
        let waiting = format!(
            "new Promise((done) => {{ const look = () => ({expression}) ? done(true) : setTimeout(look, 5); look(); }})"
        );
        let _: bool = self.value(&waiting);
    }

    /// Waits until a page is loaded with its styles, this one or the next one, and a JavaScript expression is true on it.
    #[track_caller]
    pub(crate) fn arrive(&self, expression: &str) {
        let expression = format!("document.readyState === 'complete' && ({expression})");
        let begun = Instant::now();
        loop {
            match self.evaluate(&expression) {
                Ok(Value::Bool(true)) => return,
                _ if begun.elapsed() < PATIENCE => test_tools::pause(),
                last => panic!("{expression} did not come true: {last:?}; complaints: {:?}", self.complaints()),
            }
        }
    }

    /// Presses a key, named as in `KeyboardEvent.key`.
    #[track_caller]
    pub(crate) fn press(&self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "End" => (35, ""),
            "Home" => (36, ""),
            "Escape" => (27, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            _ => (0, key),
        };
        assert!(text.chars().count() < 2, "add the code of {key}");
        for (kind, text) in [("keyDown", text), ("keyUp", "")] {
            let event = json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code });
            self.command("Input.dispatchKeyEvent", event);
        }
    }

    /// Presses the tab key until this element has the focus.
    #[track_caller]
    pub(crate) fn reach(&self, selector: &str) {
        const MOST: usize = 200;
        let there = format!("document.activeElement.matches({selector:?})");
        for _ in 0..MOST {
            if self.value::<bool>(&there) {
                return;
            }
            self.press("Tab");
        }
        panic!("the keyboard does not lead to {selector}");
    }

    /// Types into the element with the focus. `\r` presses Enter.
    #[track_caller]
    pub(crate) fn write(&self, text: &str) {
        for character in text.chars() {
            match character {
                '\r' => self.press("Enter"),
                _ => self.press(character.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// The middle of an element in the window, after it was scrolled into view.
    #[track_caller]
    fn middle(&self, selector: &str) -> (f64, f64) {
        self.value(&format!(
            "(() => {{ const element = document.querySelector({selector:?}); \
             element.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ))
    }

    /// Clicks an element.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let (x, y) = self.middle(selector);
        for (kind, button, count) in
            [("mouseMoved", "none", 0), ("mousePressed", "left", 1), ("mouseReleased", "left", 1)]
        {
            let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": count });
            self.command("Input.dispatchMouseEvent", event);
        }
    }

    /// Taps an element with a finger.
    #[track_caller]
    pub(crate) fn tap(&self, selector: &str) {
        self.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        let (x, y) = self.middle(selector);
        for (kind, points) in [("touchStart", json!([{ "x": x, "y": y }])), ("touchEnd", json!([]))] {
            self.command("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
        }
    }

    /// Drags with a finger from the middle of an element to that of another; both must be in the window.
    #[track_caller]
    pub(crate) fn drag(&self, from: &str, to: &str) {
        self.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        let [(x, y), (end_x, end_y)]: [(f64, f64); 2] = self.value(&format!(
            "[{from:?}, {to:?}].map((place) => {{ const box = document.querySelector(place).getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})"
        ));
        let half = ((x + end_x) / 2.0, (y + end_y) / 2.0);
        let at = |(x, y)| json!([{ "x": x, "y": y }]);
        let end = at((end_x, end_y));
        let moves =
            [("touchStart", at((x, y))), ("touchMove", at(half)), ("touchMove", end.clone()), ("touchMove", end)];
        // The finger rests before it is lifted. After a flick the browser would take the next tap for the end of a scroll.
        let now: f64 = self.value("Date.now() / 1000");
        for (nth, (kind, points)) in moves.into_iter().chain([("touchEnd", json!([]))]).enumerate() {
            let event = json!({ "type": kind, "touchPoints": points, "timestamp": now - 2.0 + nth as f64 / 2.0 });
            self.command("Input.dispatchTouchEvent", event);
        }
    }

    /// Emulates a visitor with preferences, such as `("prefers-reduced-motion", "reduce")`.
    #[track_caller]
    pub(crate) fn prefers(&self, preferences: &[(&str, &str)]) {
        let feature = |(name, value): &(&str, &str)| json!({ "name": name, "value": value });
        let features: Vec<Value> = preferences.iter().map(feature).collect();
        self.command("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Changes the size of the page, in pixels.
    #[track_caller]
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Errors, warnings and dialogs so far.
    #[track_caller]
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.catch_up();
        self.devtools.complaints(Some(&self.session))
    }

    /// The addresses that were requested.
    #[track_caller]
    pub(crate) fn requests(&self) -> Vec<String> {
        self.catch_up();
        self.devtools.requests(Some(&self.session))
    }

    /// Reads what the page has told so far: the answer comes after it.
    #[track_caller]
    fn catch_up(&self) {
        let _ = self.evaluate("0");
    }

    /// Fails if the page wrote to the console, threw an error, violated its policy or opened a dialog.
    #[track_caller]
    pub(crate) fn assert_calm(&self) {
        assert_eq!(self.complaints(), Vec::<String>::new());
    }
}

/// A page in a file of a temporary folder.
pub(crate) struct SavedPage {
    folder: TempDir,
}

impl SavedPage {
    pub(crate) fn new(text: &str) -> SavedPage {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("page.html"), text).unwrap();
        SavedPage { folder }
    }

    /// The address of the page, with this fragment.
    pub(crate) fn address(&self, fragment: &str) -> String {
        format!("file://{}/page.html{fragment}", self.folder.path().display())
    }
}
