//! Carriers: what brings messages to clients and theirs to the inbox. One is a broker of our own, the other a connection to
//! somebody else's.

/// Brings messages to whoever subscribed to their topics.
pub(crate) trait Broker: Send + Sync {
    /// Sends a message off; it does not wait until anybody has it. All are delivered in the order in which they were sent.
    /// With `retain`, those who subscribe later get the last one of its topic, and an empty one takes it back.
    fn publish(&self, topic: String, body: Vec<u8>, retain: bool);
}
