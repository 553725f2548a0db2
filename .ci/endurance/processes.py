"""Processes that a server has started, also after its end, and its temporary folders."""
import ctypes
import os
import pathlib
import re
import signal
import threading
import time

PR_SET_CHILD_SUBREAPER = 36
TEMPORARY = re.compile(r"/dev/shm/broadside-[^/\s\0]+")


def adopt_orphans() -> None:
    """Makes this process the parent of all that its children leave behind, so that none can be overlooked."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("this system does not let a process adopt orphans")


def _all() -> dict:
    """The parent and the state of each process."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            found[int(folder.name)] = int(parent), state
    return found


def descendants(of: int) -> set:
    """All processes below this one. Zombies are not counted; those that have become children of this process are buried."""
    everything = _all()
    found, fresh = set(), {of}
    while fresh:
        fresh = {pid for pid, (parent, _) in everything.items() if parent in fresh}
        found |= fresh
    zombies = {pid for pid in found if everything[pid][1] == "Z"}
    return found - zombies


def orphans(but: set) -> set:
    """The living processes below this one but these, which were started here, and what is below those."""
    kept = set(but)
    for pid in but:
        kept |= descendants(pid)
    left = descendants(os.getpid()) - kept
    for pid, (parent, state) in _all().items():
        if state == "Z" and parent == os.getpid() and pid not in but:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass
    return left


def command(pid: int) -> str:
    """The command line of a process, shortened."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:120].strip()
    except OSError:
        return "(ended)"


def memory(pid: int) -> dict:
    """The present and the largest memory of a process in MB, and the number of its open files."""
    size = {key: status(pid, name) // 1024 for key, name in (("now", "VmRSS"), ("most", "VmHWM"))}
    return {**size, "files": len(os.listdir(f"/proc/{pid}/fd"))}


def status(pid: int, name: str) -> int:
    """A number of this name in the status of a process, such as VmRSS, in kB."""
    lines = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return int(lines[name].split()[0])


def end(pids: set) -> None:
    """Kills processes that were found here."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class TemporaryFolders:
    """The temporary folders that processes below this one name. Other programs have some, too, so a look at the disk is not enough."""

    def __init__(self):
        self.seen = set()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ends.wait(0.2):
            for pid in descendants(os.getpid()):
                try:
                    said = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
                    said += "\0" + os.readlink(f"/proc/{pid}/cwd")
                except OSError:
                    continue
                self.seen.update(TEMPORARY.findall(said))

    def left(self) -> list:
        """Ends the watch, and returns those that are still there."""
        self._ends.set()
        self._thread.join()
        return sorted(path for path in self.seen if os.path.exists(path))


def wait_for_end(find, seconds: float) -> set:
    """Waits until no process is found, at most so long; returns those that are left."""
    until = time.monotonic() + seconds
    while (left := find()) and time.monotonic() < until:
        time.sleep(0.1)
    return left
