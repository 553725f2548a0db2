//! Sockets, where the standard library blocks or has no name for it.

pub use crate::linux::sockets::{
    acknowledge_at_once, begin_connect, is_shortage, lengthen_queue, limit_unread, most_open_files, open, refuse,
};
