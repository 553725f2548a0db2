//! The layers of the sandbox that this machine can have.

use crate::show::{Finding, State};
use players::process::{Abilities, SandboxError};
use std::fs;
use std::path::Path;

/// The version of Landlock that restricts everything that the sandbox relies on.
const FULL_LANDLOCK: u8 = 5;

/// What was found of each layer. `root` is the root folder of the machine; tests have others.
pub(super) fn findings(root: &Path, abilities: Result<Abilities, SandboxError>) -> Vec<Finding> {
    let abilities = match abilities {
        Ok(abilities) => abilities,
        Err(error) => return vec![problem(crate::show::with_causes(&error), None)],
    };
    vec![landlock(root, abilities.landlock), filter(abilities.filter), namespaces(root, abilities)]
}

fn landlock(root: &Path, version: u8) -> Finding {
    let modules = read(root, "sys/kernel/security/lsm");
    match version {
        FULL_LANDLOCK.. => fine(format!("files: Landlock {version}")),
        0 if modules.as_deref().is_some_and(|modules| !modules.split(',').any(|module| module == "landlock")) => {
            problem(
                "files: Landlock is not among the active security modules".to_owned(),
                Some(format!("start Linux with lsm=landlock,{}", modules.unwrap_or_default())),
            )
        }
        0 => problem("files: the kernel has no Landlock".to_owned(), Some(KERNEL.to_owned())),
        _ => problem(
            format!("files: Landlock {version} does not restrict everything; version {FULL_LANDLOCK} does"),
            Some(KERNEL.to_owned()),
        ),
    }
}

const KERNEL: &str = "use Linux 6.10 or later, built with CONFIG_SECURITY_LANDLOCK";

fn filter(is_there: bool) -> Finding {
    if is_there {
        fine("system calls: filtered".to_owned())
    } else {
        problem(
            "system calls: the kernel has no filters".to_owned(),
            Some("use a kernel built with CONFIG_SECCOMP_FILTER".to_owned()),
        )
    }
}

fn namespaces(root: &Path, abilities: Abilities) -> Finding {
    if abilities.namespaces {
        return fine("namespaces: a root folder, processes and IPC objects of their own".to_owned());
    }
    let is = |path: &str, value: &str| read(root, path).is_some_and(|text| text == value);
    let (why, mend) = if is("proc/sys/user/max_user_namespaces", "0") {
        ("user.max_user_namespaces is 0", "sysctl -w user.max_user_namespaces=15000")
    } else if is("proc/sys/kernel/unprivileged_userns_clone", "0") {
        ("kernel.unprivileged_userns_clone is 0", "sysctl -w kernel.unprivileged_userns_clone=1")
    } else if is("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
        ("AppArmor restricts them", "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0")
    } else if root.join(".dockerenv").exists() || root.join("run/.containerenv").exists() {
        (
            "the container refuses them",
            "docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined …",
        )
    } else {
        ("the system refuses them", "docs/sandbox.md, \"Kernel requirements\", has the reasons")
    };
    problem(
        format!("namespaces: {why}, so bots can see the names of all files, and builds have no sandbox"),
        Some(mend.to_owned()),
    )
}

fn read(root: &Path, path: &str) -> Option<String> {
    fs::read_to_string(root.join(path)).ok().map(|text| text.trim().to_owned())
}

fn fine(text: String) -> Finding {
    Finding { topic: "sandbox", state: State::Fine, text, mend: None }
}

fn problem(text: String, mend: Option<String>) -> Finding {
    Finding { topic: "sandbox", state: State::Problem, text, mend }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Abilities = Abilities { landlock: 7, filter: true, namespaces: true };

    fn states(abilities: Abilities) -> Vec<State> {
        findings(Path::new("/nowhere"), Ok(abilities)).iter().map(|finding| finding.state).collect()
    }

    #[test]
    fn every_layer_that_is_missing_is_a_problem() {
        assert_eq!(states(ALL), [State::Fine; 3]);
        assert_eq!(states(Abilities { landlock: 4, ..ALL }), [State::Problem, State::Fine, State::Fine]);
        assert_eq!(states(Abilities { filter: false, ..ALL }), [State::Fine, State::Problem, State::Fine]);
        assert_eq!(states(Abilities { namespaces: false, ..ALL }), [State::Fine, State::Fine, State::Problem]);
    }

    #[test]
    fn the_mend_fits_the_reason() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let none = Abilities { landlock: 0, filter: true, namespaces: false };
        let mend = |at: usize| findings(root.path(), Ok(none))[at].mend.clone().unwrap();
        assert_eq!(mend(0), KERNEL);
        assert!(mend(2).contains("docs/sandbox.md"));
        write("sys/kernel/security/lsm", "capability,yama\n");
        assert_eq!(mend(0), "start Linux with lsm=landlock,capability,yama");
        write("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
        assert!(mend(2).contains("apparmor_restrict_unprivileged_userns=0"));
        write("proc/sys/user/max_user_namespaces", "0\n");
        assert!(mend(2).contains("user.max_user_namespaces=15000"));
    }
}
