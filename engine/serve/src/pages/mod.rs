//! The pages for people.

pub(crate) mod admin;
pub(crate) mod admin_contests;
pub(crate) mod assets;
pub(crate) mod contest_games;
pub(crate) mod contest_marks;
pub(crate) mod contest_pages;
pub(crate) mod contest_profile;
pub(crate) mod contest_screen;
pub(crate) mod contest_tournament_pages;
pub(crate) mod filled_form;
pub(crate) mod final_page;
pub(crate) mod forms;
pub(crate) mod join_address;
pub(crate) mod play;
pub(crate) mod rating_chart;
pub(crate) mod response;
pub(crate) mod screen;
pub(crate) mod team_pages;
pub(crate) mod text;
