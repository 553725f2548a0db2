//! The broker as the publisher uses it: embedded, or a connection to an external one.

/// A broker delivers messages to the subscribers of their topics.
pub(crate) trait Broker: Send + Sync {
    /// Queues a message and returns at once. Messages are delivered in the order of the calls. With `retain`, the broker keeps
    /// the last message of the topic for later subscribers; an empty body removes it.
    fn publish(&self, topic: String, body: Vec<u8>, retain: bool);
}
