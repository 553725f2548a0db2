//! A real browser, and pages in it that record everything they should not do.

use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetDeviceMetricsOverrideParams, SetEmulatedMediaParams,
};
use chromiumoxide::cdp::browser_protocol::input::{DispatchKeyEventParams, DispatchKeyEventType};
use chromiumoxide::cdp::browser_protocol::log::EventEntryAdded;
use chromiumoxide::cdp::browser_protocol::network::EventRequestWillBeSent;
use chromiumoxide::cdp::browser_protocol::page::EventJavascriptDialogOpening;
use chromiumoxide::cdp::js_protocol::runtime::{EventConsoleApiCalled, EventExceptionThrown};
use chromiumoxide::{Browser, BrowserConfig, Page};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::timeout;

/// The longest time for a condition to come true. Only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running browser.
pub(crate) struct Chromium(Browser);

impl Chromium {
    /// Runs a test with a browser. Without an installed browser the test is skipped.
    pub(crate) fn run(work: impl AsyncFnOnce(&Chromium)) {
        let Some(program) = test_tools::required("chromium-headless-shell") else { return };
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let config = BrowserConfig::builder()
                .chrome_executable(program)
                .user_data_dir(folder.path())
                .viewport(None)
                .no_sandbox()
                .build()
                .unwrap();
            let (browser, mut handler) = Browser::launch(config).await.unwrap();
            let handler = tokio::spawn(async move { while handler.next().await.is_some() {} });
            let mut chromium = Chromium(browser);
            work(&chromium).await;
            chromium.0.close().await.unwrap();
            chromium.0.wait().await.unwrap();
            handler.abort();
        });
    }

    /// Opens an address and waits until its page is ready.
    pub(crate) async fn open(&self, address: &str) -> Tab {
        let page = self.0.new_page("about:blank").await.unwrap();
        let tab = Tab { complaints: Arc::default(), requests: Arc::default(), page };
        tab.listen().await;
        tab.page.goto(address).await.unwrap();
        tab.until("'ready' in document.body.dataset").await;
        tab
    }
}

/// An open page.
pub(crate) struct Tab {
    pub(crate) page: Page,
    /// Errors, warnings and dialogs so far.
    complaints: Arc<Mutex<Vec<String>>>,
    /// Addresses that were requested, without those of data that is part of a page.
    requests: Arc<Mutex<Vec<String>>>,
}

impl Tab {
    async fn listen(&self) {
        self.note(&self.complaints, |event: &EventConsoleApiCalled| Some(format!("console: {:?}", event.args))).await;
        self.note(&self.complaints, |event: &EventExceptionThrown| Some(format!("{:?}", event.exception_details)))
            .await;
        self.note(&self.complaints, |event: &EventEntryAdded| Some(event.entry.text.clone())).await;
        self.note(&self.complaints, |event: &EventJavascriptDialogOpening| Some(event.message.clone())).await;
        let address = |event: &EventRequestWillBeSent| {
            let address = event.request.url.clone();
            (!address.starts_with("data:")).then_some(address)
        };
        self.note(&self.requests, address).await;
    }

    async fn note<E>(&self, list: &Arc<Mutex<Vec<String>>>, text: fn(&E) -> Option<String>)
    where
        E: chromiumoxide::cdp::IntoEventKind + Unpin + Send + Sync + 'static,
    {
        let mut events = self.page.event_listener::<E>().await.unwrap();
        let list = Arc::clone(list);
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                list.lock().unwrap().extend(text(&event));
            }
        });
    }

    /// The value of a JavaScript expression.
    pub(crate) async fn value<T: DeserializeOwned>(&self, expression: &str) -> T {
        let value = timeout(PATIENCE, self.page.evaluate(expression)).await;
        let value = value.unwrap_or_else(|_| panic!("{expression} has no end")).unwrap();
        value.into_value().unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Goes to another fragment of the same page, such as `#round=3`.
    pub(crate) async fn visit(&self, hash: &str) {
        let _: String = self.value(&format!("location.hash = {hash:?}")).await;
    }

    /// Waits until a JavaScript expression is true.
    pub(crate) async fn until(&self, expression: &str) {
        let waiting = format!(
            "new Promise((done) => {{ const look = () => ({expression}) ? done(true) : setTimeout(look, 5); look(); }})"
        );
        let came = timeout(PATIENCE, self.page.evaluate(waiting)).await;
        assert!(came.is_ok(), "{expression} did not come true; complaints: {:?}", self.complaints.lock().unwrap());
        came.unwrap().unwrap_or_else(|error| panic!("{expression}: {error}"));
    }

    /// Waits until a JavaScript expression is true, on this page or on the next one.
    pub(crate) async fn arrive(&self, expression: &str) {
        let begun = std::time::Instant::now();
        loop {
            // A page that is being left cannot be asked.
            let there = self.page.evaluate(expression).await.ok().and_then(|value| value.into_value::<bool>().ok());
            match there {
                Some(true) => return,
                _ if begun.elapsed() < PATIENCE => tokio::time::sleep(Duration::from_millis(5)).await,
                _ => panic!("{expression} did not come true; complaints: {:?}", self.complaints.lock().unwrap()),
            }
        }
    }

    /// Presses a key, named as in `KeyboardEvent.key`.
    pub(crate) async fn press(&self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Home" => 36,
            "End" => 35,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let event = |kind| {
            let event = DispatchKeyEventParams::builder().r#type(kind).key(key).windows_virtual_key_code(code);
            if key.chars().count() == 1 { event.text(key) } else { event }
        };
        self.page.execute(event(DispatchKeyEventType::KeyDown).build().unwrap()).await.unwrap();
        self.page.execute(event(DispatchKeyEventType::KeyUp).build().unwrap()).await.unwrap();
    }

    /// Presses the tab key until this element has the focus.
    pub(crate) async fn reach(&self, selector: &str) {
        const MOST: usize = 200;
        let there = format!("document.activeElement.matches({selector:?})");
        for _ in 0..MOST {
            if self.value::<bool>(&there).await {
                return;
            }
            self.press("Tab").await;
        }
        panic!("the keyboard does not lead to {selector}");
    }

    /// Types into the element with the focus. `\r` at the end presses Enter.
    pub(crate) async fn write(&self, text: &str) {
        let focused = self.page.find_element(":focus").await.unwrap();
        let (text, is_sent) = text.strip_suffix('\r').map_or((text, false), |text| (text, true));
        focused.type_str(text).await.unwrap();
        if is_sent {
            focused.press_key("Enter").await.unwrap();
        }
    }

    /// Emulates a visitor who prefers reduced motion.
    pub(crate) async fn wants_no_motion(&self) {
        let feature = MediaFeature { name: "prefers-reduced-motion".to_owned(), value: "reduce".to_owned() };
        self.page.execute(SetEmulatedMediaParams::builder().feature(feature).build()).await.unwrap();
    }

    /// Clicks an element.
    pub(crate) async fn click(&self, selector: &str) {
        self.page.find_element(selector).await.unwrap().click().await.unwrap();
    }

    /// Changes the size of the page.
    pub(crate) async fn resize(&self, width: i64, height: i64) {
        self.page.execute(SetDeviceMetricsOverrideParams::new(width, height, 1.0, false)).await.unwrap();
    }

    /// The addresses that were requested.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Fails if the page wrote to the console, threw an error, violated its policy or opened a dialog.
    pub(crate) fn assert_calm(&self) {
        assert_eq!(*self.complaints.lock().unwrap(), Vec::<String>::new());
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
