//! Tests of the event log.

use super::*;
use futures_util::StreamExt;
use futures_util::future::{Either, select};

const ALL: fn(&str) -> bool = |_| true;

fn log() -> Arc<EventLog> {
    Arc::new(EventLog::new())
}

fn numbers(text: &str) -> Vec<u64> {
    let ids = text.lines().filter_map(|line| line.strip_prefix("id: ")?.split_once('.'));
    ids.map(|(_, number)| number.parse().unwrap()).collect()
}

#[test]
fn a_viewer_who_begins_gets_the_current_events_in_their_order() {
    let log = log();
    log.publish("topic", EventScope::TOPIC, "1");
    log.publish("setup", EventScope::Part(7), "{}");
    log.publish("topic", EventScope::TOPIC, "2");
    log.publish("frame", EventScope::Part(7), "{}");
    log.publish("frame", EventScope::Part(8), "{}");
    assert_eq!(log.after(None, ALL).1, 5);
    assert_eq!(numbers(&log.after(None, ALL).0), [2, 3, 4, 5]);
    assert_eq!(numbers(&log.after(None, |kind| kind == "frame").0), [4, 5]);
    log.publish("over", EventScope::End(7), "{}");
    assert_eq!(numbers(&log.after(None, ALL).0), [3, 5]);
    log.end(8);
    assert_eq!(numbers(&log.after(None, ALL).0), [3]);
}

#[test]
fn a_viewer_who_comes_back_gets_what_it_missed_and_no_more() {
    let log = log();
    (0..10).for_each(|_| log.publish("turn", EventScope::Part(1), "0"));
    log.publish("over", EventScope::End(1), "0");
    let id = |number| log.number(&format!("{}.{number}", log.mark));
    assert_eq!(numbers(&log.after(id(8), ALL).0), [9, 10, 11], "past events, too");
    assert_eq!(log.after(id(11), ALL), (String::new(), 11));
    assert_eq!(log.number("otherlog.7"), None);
    log.publish("setup", EventScope::Part(2), "0");
    assert_eq!(numbers(&log.after(id(13), ALL).0), [12], "it never was: the viewer begins again");
}

#[test]
fn a_viewer_who_is_left_behind_begins_again() {
    let log = Arc::new(EventLog::new().with_beginning(|current| ("state", current.len().to_string())));
    (0..MOST + 10).for_each(|_| log.publish("turn", EventScope::TOPIC, "0"));
    assert_eq!(numbers(&log.after(Some(9), ALL).0).len(), MOST + 1);
    assert!(log.after(Some(8), ALL).0.ends_with("\nevent: state\ndata: 1\n\n"));
    assert!(log.after(Some(MOST as u64 + 11), ALL).0.contains("event: state"), "it never was");
    let large = "x".repeat(1 << 20);
    (0..8).for_each(|_| log.publish("turn", EventScope::TOPIC, &large));
    let events = lock(&log.events);
    assert!(events.past_bytes <= MOST_BYTES && events.past.len() == 3 && events.current.len() == 1);
}

#[test]
fn a_viewer_for_whom_there_is_nothing_gets_a_comment_even_if_others_get_events() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let log = Arc::new(EventLog { quiet: Duration::ZERO, ..EventLog::new() });
        let mut listen = Box::pin(log.follow(None, |kind| kind != "unwanted"));
        let mut hear = async || String::from_utf8(listen.next().await.unwrap().unwrap().to_vec()).unwrap();
        hear().await;
        assert_eq!(hear().await, ":\n\n");
        let publish = async {
            loop {
                log.publish("unwanted", EventScope::TOPIC, "0");
                tokio::task::yield_now().await;
            }
        };
        match select(Box::pin(hear()), Box::pin(publish)).await {
            Either::Left((heard, _)) => assert_eq!(heard, ":\n\n"),
            Either::Right((never, _)) => never,
        }
        log.publish("turn", EventScope::TOPIC, "0");
        assert!(hear().await.contains("event: turn"), "what is wanted comes without a comment before it");
    });
}

#[test]
fn a_stream_tells_proxies_to_pass_each_event_on() {
    let response = log().response(&HeaderMap::new(), ALL);
    let header = |name: &str| response.headers()[name].to_str().unwrap();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!((header("x-accel-buffering"), header("cache-control")), ("no", "no-store, no-transform"));
}

#[test]
fn a_viewer_hears_everything_in_order_until_the_end() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let log = log();
        let mut listen = Box::pin(log.follow(None, |kind| kind != "unwanted"));
        assert_eq!(log.viewers(), 1);
        let mut hear = async || listen.next().await.map(|text| String::from_utf8(text.unwrap().to_vec()).unwrap());
        assert!(hear().await.unwrap().starts_with("retry: 1000\n\nevent: now\ndata: 1"));
        (0..100).for_each(|_| log.publish("turn", EventScope::Part(1), "0"));
        assert_eq!(numbers(&hear().await.unwrap()), (1..=100).collect::<Vec<_>>(), "several at once");
        log.publish("unwanted", EventScope::Part(1), "0");
        log.publish("turn", EventScope::Part(1), "0");
        log.close();
        assert_eq!(numbers(&hear().await.unwrap()), [102], "what was published before the end is heard");
        assert_eq!(hear().await, None);
        let back = |number: u64| {
            let headers = [("last-event-id", format!("{}.{number}", log.mark))];
            let headers = headers.into_iter().map(|(name, id)| (name.parse().unwrap(), id.parse().unwrap())).collect();
            log.response(&headers, ALL).status()
        };
        assert_eq!(back(102), StatusCode::NO_CONTENT);
        assert_eq!([back(101), back(103)], [StatusCode::OK; 2], "an event that never was means nothing");
        drop(listen);
        assert_eq!(log.viewers(), 0);
        log.viewers_gone().await;
    });
}
