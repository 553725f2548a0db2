//! People who play in a browser.

mod matches;
mod pages;
mod sitting;
