//! Files of marks for the administrator.

use crate::contests::contest_host::ContestHost;
use crate::contests::marking::views;
use crate::state::contests::contest_settings::ContestName;
use crate::state::request_error::{RequestError, RequestResult};
use flate2::Compression;
use flate2::write::GzEncoder;
use grading::{marks_csv, marks_json, write_results};
use std::collections::BTreeSet;
use std::path::Path;

/// The ending of the archive with all results.
pub(crate) const ARCHIVE: &str = "tar.gz";

/// The marks of all teams in the form of a file with this ending: `csv`, `json` or [`ARCHIVE`].
pub(crate) fn file(contests: &ContestHost, contest: &ContestName, ending: &str) -> RequestResult<Vec<u8>> {
    let so_far = views::marks(contests, contest)?;
    let so_far = so_far.ok_or_else(|| RequestError::missing("there are no marks yet"))?;
    let (marks, alike) = contests.host.store.look(|state| so_far.named(state));
    match ending {
        "csv" => return Ok(marks_csv(&marks).into_bytes()),
        "json" => return Ok(marks_json(&marks).into_bytes()),
        _ => {}
    }
    let folder = tempfile::tempdir().map_err(RequestError::internal)?;
    write_results(folder.path(), &marks, &alike).map_err(RequestError::internal)?;
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    archive.append_dir_all("marks", folder.path()).map_err(RequestError::internal)?;
    // The pages link to them.
    let marks = marks.students.iter().flat_map(|one| &one.marks);
    for lost in marks.filter_map(|mark| mark.lost.as_ref()).collect::<BTreeSet<_>>() {
        let record = so_far.folder.join(lost);
        if record.is_file() {
            let name = Path::new("marks").join(lost);
            archive.append_path_with_name(record, name).map_err(RequestError::internal)?;
        }
    }
    archive.into_inner().and_then(GzEncoder::finish).map_err(RequestError::internal)
}
