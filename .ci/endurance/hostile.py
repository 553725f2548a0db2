"""Bots that are broken, slow or hostile."""
import dataclasses
import io
import os
import pathlib
import socket
import stat
import threading
import time
import zipfile

from . import bots

# Says that an attack has succeeded: the end of the bot and this word stand in what the server keeps of the turn.
BREACH = '''
def breach(what):
    sys.stderr.write("breach: " + what + "\\n")
    sys.stderr.flush()
    os._exit(9)
'''
READ = BREACH + '''
for path in (@journal@, @secret@, "/etc/shadow", "/root/.bash_history", "/proc/1/environ"):
    try:
        open(path, "rb").read(10)
        breach("read " + path)
    except OSError:
        pass
try:
    open("/etc/passwd").read(10)
    sys.stderr.write("read /etc/passwd\\n")
except OSError:
    pass
'''
WRITE = BREACH + '''
for folder in (@folder@, "/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"), "..", "../.."):
    try:
        with open(os.path.join(folder, "evil-@port@"), "w") as file:
            file.write("x")
        # Its own folder is a copy, and a /tmp may be its own: whether files stay is seen from outside.
        if os.path.isabs(folder) and folder not in ("/tmp", os.path.expanduser("~")):
            breach("wrote into " + folder)
    except OSError:
        pass
for number in range(200):
    try:
        with open("big%d" % number, "wb") as file:
            for _ in range(10):
                file.write(b"x" * 1000000)
    except OSError:
        break
'''
NETWORK = BREACH + '''
import socket
for address in (("127.0.0.1", @port@), ("1.1.1.1", 53)):
    try:
        socket.create_connection(address, 0.3)
        breach("connected to %s" % (address,))
    except OSError:
        pass
'''
FORK = BREACH + '''
for _ in range(200):
    try:
        if os.fork() == 0:
            import time
            os.setsid()
            time.sleep(600)
            os._exit(0)
    except OSError:
        break
'''
# Not -1 with SIGKILL: without a sandbox, that would end the programs of others, too.
KILL = BREACH + '''
import signal
for pid, number in ((os.getppid(), signal.SIGKILL), (@script@, 0), (-@script@, 0)):
    try:
        if pid not in (0, 1):
            os.kill(pid, number)
        if number == 0:
            breach("may end processes outside")
    except OSError:
        pass
'''
MEMORY = '''
try:
    held = [bytearray(64 << 20) for _ in range(64)]
except MemoryError:
    held = None
'''
LATE = "import time\ntime.sleep(10)"
# Two thirds of its time in a fifth of the turns: all turns would hold the queue for minutes.
NEAR = "import time\nif state['Round'] % 5 == 0: time.sleep(1.6)"
GARBAGE = "sys.stderr.write('\\x1b[31m<b>' * 1000); text = '\\x00\\xff<script>' * 99"


@dataclasses.dataclass
class Victim:
    """What hostile bots try to reach."""

    folder: pathlib.Path

    def __post_init__(self):
        self.secret = self.folder / "secret.txt"
        self.secret.write_text("nobody may read this\n")
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            self._listener.accept()[0].close()
            self.connections += 1

    def in_code(self, code: str) -> str:
        """The code of an attack on this victim."""
        known = {"journal": repr(str(self.folder / "arena.jsonl")), "secret": repr(str(self.secret)),
                 "folder": repr(str(self.folder)), "port": str(self.port), "script": str(os.getpid())}
        for key, value in known.items():
            code = code.replace(f"@{key}@", value)
        return code

    def harm(self, begin: float) -> list:
        """What attacks have reached, as far as it can be seen from here."""
        found = [f"{self.connections} connections"] * (self.connections > 0)
        folders = [self.folder, "/tmp", "/var/tmp", "/dev/shm", pathlib.Path.home()]
        names = [pathlib.Path(folder) / f"evil-{self.port}" for folder in folders]
        names += self.folder.glob("contests/*/**/evil-*")
        found += [f"{path} was written" for path in names if path.exists()]
        for pattern in ("contests/*/versions/*/faults/**/*", "contests/*/faults/**/*", "contests/*/versions/*/log.txt"):
            for path in self.folder.glob(pattern):
                if path.is_file() and path.stat().st_mtime >= begin and b"breach: " in (said := path.read_bytes()):
                    words = said.split(b"breach: ", 1)[1].split(b"\n")[0].decode(errors="replace")
                    found.append(f"{path.relative_to(self.folder)}: {words}")
        return found


def archive(entries, number: int) -> bytes:
    """A zip with a bot that plays and these further entries: a name, or a ZipInfo, and the content."""
    memory = io.BytesIO(bots.packed(bots.shell(), number))
    with zipfile.ZipFile(memory, "a", zipfile.ZIP_DEFLATED) as out:
        for name, content in entries:
            out.writestr(name, content)
    return memory.getvalue()


def link(name: str) -> zipfile.ZipInfo:
    """An entry that is a symbolic link."""
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return entry


def many(number: int) -> bytes:
    """A zip with 100,000 entries."""
    return archive(((f"d{i}", b"") for i in range(100_000)), number)


def bomb(number: int) -> bytes:
    """A zip of half a megabyte that unpacks to 450 MB."""
    return archive(((f"zeros{i}", bytes(150_000_000)) for i in range(3)), number)


def all_bots(victim: Victim) -> list:
    """One bot of each kind."""
    plain, packed, shell = bots.plain, bots.packed, bots.shell
    no_c = {"bot.json": bots.manifest("C", "bot"), "bot.c": "int main( { return 1; }\n", "Makefile": "bot: bot.c\n\tcc -o bot bot.c\n"}
    forks = "for i in 1 2 3 4 5 6 7 8 9; do (setsid sleep 600 >/dev/null 2>&1 &) ; done"
    fills = "for i in 1 2 3 4 5 6 7 8 9; do for d in . /tmp; do head -c 60000000 /dev/zero > $$d/big$$i; done; done; exit 1"
    folders = {
        # Two teams hand in the same archive, again and again.
        "does-not-compile": ("broken", "c", lambda number: packed(no_c)),
        "does-not-compile-either": ("broken", "c", lambda number: packed(no_c)),
        "crashes": ("broken", "python", plain(begin="sys.exit(3)")),
        "garbage": ("broken", "python", plain(turn=GARBAGE)),
        "too-slow": ("broken", "python", plain(turn=LATE)),
        "endless-build": ("broken", "c", bots.built("while :; do :; done")),
        "build-fills-disk": ("broken", "c", bots.built(fills)),
        "no-bot-json": ("broken", "", lambda number: packed({"bot.py": "print(1)\n"}, number)),
        "wrong-bot-json": ("broken", "", {**shell(), "bot.json": '{"BotType": 7, "RunFile": ["bot.sh"]}'}),
        "dot-dot": ("broken", "", lambda number: archive([("../../../arena.jsonl", b"x")], number)),
        "link-out": ("broken", "", lambda number: archive([(link("l"), "/etc/passwd")], number)),
        "many-entries": ("broken", "", many),
        "bomb": ("broken", "", bomb),
        "case-twins": ("hostile", "executable", lambda number: archive([("A.txt", b"1"), ("a.txt", b"2")], number)),
        "crashes-at-20": ("hostile", "python", plain(turn="if state['Round'] >= 20: sys.exit(4)")),
        "near-limit": ("hostile", "python", plain(turn=NEAR)),
        "forks": ("hostile", "python", plain(begin=victim.in_code(FORK))),
        "build-forks": ("hostile", "c", bots.built(forks)),
        "fills-disk": ("hostile", "python", plain(begin=victim.in_code(WRITE))),
        "reads": ("hostile", "python", plain(begin=victim.in_code(READ))),
        "network": ("hostile", "python", plain(begin=victim.in_code(NETWORK))),
        "kills": ("hostile", "python", plain(begin=victim.in_code(KILL))),
        "memory": ("hostile", "python", plain(begin=MEMORY)),
    }
    slow = {"too-slow", "endless-build", "near-limit", "build-fills-disk", "memory"}

    def made(files):
        return files if callable(files) else lambda number: packed(files, number)

    return [bots.Bot(name, kind, made(files), language, name in slow) for name, (kind, language, files) in folders.items()]
