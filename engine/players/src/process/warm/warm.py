# An interpreter that has loaded what a bot imports from Python's own library, and that forks once a turn. The fork is the run
# of the bot. `warm.rs` starts it as `python3 -c THIS HOME SANDBOX SCRIPT KEY FOLDER ARGUMENT ...`, where HOME is the bot's home folder,
# and SANDBOX is `confined` in a sandbox and `free` without one.
#
# Descriptor 0 is a socket. The first line on it is `ready`; where this cannot work, the interpreter ends without it. A request is a
# line with the folder of the turn and those of earlier turns, each as hexadecimal bytes. The answer is `cold`, if the bot has to be
# started in the usual way, or the exit status of the run (the negative number of a signal), its processor time in microseconds, and
# its peak memory in KiB.
# Nothing of the bot is run before the fork, and in the sandbox no fork can fork again.
def serve():
    import sys
    # The current folder, which is the bot's: none of its files is a module of this interpreter.
    if sys.path and sys.path[0] == "":
        del sys.path[0]
    import os

    if sys.version_info < (3, 10):
        os._exit(0)
    at_start = set(sys.modules)
    import gc
    import io
    import warnings

    home, sandbox, script, key, _, *arguments = sys.argv[1:]
    is_confined = sandbox == "confined"
    script_folder = os.path.dirname(os.path.realpath(script))

    def read(path):
        with open(path, "rb") as file:
            return file.read()

    def fence():
        """Two functions that take from the fork what only the interpreter may do: one confines what it writes to some folders, the
        other refuses forks and signals to other processes."""
        import ctypes
        import struct

        call = ctypes.CDLL(None, use_errno=True).syscall
        names = "clone", "tkill", "kill", "tgkill", "sigqueue", "tgsigqueue", "prlimit", "affinity"
        number = dict(zip(names, {
            "x86_64": (56, 200, 62, 234, 129, 297, 302, 203), "aarch64": (220, 130, 129, 131, 138, 240, 261, 122),
        }[os.uname().machine]))
        create, add, restrict = 444, 445, 446
        version = call(create, None, ctypes.c_size_t(0), 1)
        # All rights of Landlock to write, to remove and to make; those to move and to truncate where the kernel knows them.
        handled = 0x1FF2 | (0x2000 if version >= 2 else 0) | (0x4000 if version >= 3 else 0)
        refused, allowed = (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)
        first_argument = (0x20, 0, 0, 16)

        def check(result):
            if result < 0:
                os._exit(126)
            return result

        def confine(folders):
            attributes = ctypes.create_string_buffer(struct.pack("=Q", handled))
            rules = check(call(create, attributes, ctypes.c_size_t(8), 0))
            for folder in folders:
                try:
                    place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
                except OSError:
                    continue
                # Of a device, only the rights that files have.
                rights = handled if os.path.isdir(folder) else handled & 0x4002
                check(call(add, rules, 1, ctypes.create_string_buffer(struct.pack("=Qi", rights, place)), 0))
                os.close(place)
            check(call(restrict, rules, 0))
            os.close(rules)

        def filter(own, parent):
            def one_of(*values):
                steps = [(0x15, len(values) - at, 0, value) for at, value in enumerate(values)]
                return [first_argument, *steps, refused, allowed]

            questions = {number[name]: one_of(own) for name in ("kill", "tgkill", "sigqueue", "tgsigqueue")}
            questions.update((number[name], one_of(0, own)) for name in ("prlimit", "affinity"))
            questions.update((landlock, [refused]) for landlock in (create, add, restrict))
            questions[number["tkill"]] = [first_argument, (0x15, 0, 1, parent), refused, allowed]
            # CLONE_THREAD.
            questions[number["clone"]] = [first_argument, (0x45, 1, 0, 0x10000), refused, allowed]
            steps = [(0x20, 0, 0, 0)]
            for asked, question in questions.items():
                steps += [(0x15, 0, len(question), asked), *question]
            steps.append(allowed)
            text = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
            program = ctypes.create_string_buffer(struct.pack("=HxxxxxxQ", len(steps), ctypes.addressof(text)))
            prctl = ctypes.CDLL(None).prctl
            check(prctl(22, ctypes.c_ulong(2), program))

        return confine, filter

    def imports(path, seen):
        """The names of modules that a file imports when it is loaded, with the names from them. Also of files beside it."""
        seen.add(path)
        try:
            # PyCF_ONLY_AST.
            nodes = list(compile(read(path), path, "exec", 0x400, True).body)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for node in nodes:
            kind = type(node).__name__
            if kind == "Import":
                found = [(name.name, ()) for name in node.names]
            elif kind == "ImportFrom" and node.level == 0:
                found = [(node.module, [name.name for name in node.names if name.name != "*"])]
            else:
                found = []
                if kind in ("Try", "If", "With"):
                    nodes += node.body
            for name, wanted in found:
                beside = os.path.join(script_folder, *name.split("."))
                for file in (beside + ".py", os.path.join(beside, "__init__.py")):
                    if file not in seen and os.path.isfile(file):
                        yield from imports(file, seen)
                yield name, wanted

    def preload():
        # Modules of which it is known that they only define things. The interpreter has rights that the bot has not, so the bot's
        # choice is among these; it loads all others itself.
        usual = frozenset((
            "abc argparse array ast asyncio base64 bisect collections collections.abc concurrent.futures configparser contextlib "
            "copy csv ctypes dataclasses datetime decimal difflib enum errno fnmatch fractions functools getopt glob gzip hashlib "
            "heapq hmac importlib inspect io itertools json json.decoder json.encoder locale logging logging.handlers math "
            "numbers operator optparse os os.path pathlib pickle platform pprint queue random re secrets shlex shutil signal "
            "socket sqlite3 stat statistics string struct subprocess sys tempfile textwrap threading time timeit traceback types "
            "typing unicodedata uuid warnings weakref xml.etree.ElementTree zlib"
        ).split())
        # What is imported here is not told the bot's arguments.
        sys.argv = [""]
        with warnings.catch_warnings():
            # A module that warns is loaded by the bot itself, which is told then.
            warnings.simplefilter("error")
            for name, wanted in list(imports(script, set())):
                for module in [name, *(f"{name}.{part}" for part in wanted)]:
                    if module in usual:
                        try:
                            __import__(module)
                        except Exception:
                            pass

    known = [None, None]

    def compiled():
        """The code of the script; None if it has warnings, which the run itself has to tell.

        Raises an error if the script has faults, is no text, or may be text in another encoding than UTF-8.
        """
        stat = os.stat(script)
        state = stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
        if known[0] != state:
            source = read(script)
            source.decode("utf-8")
            if any(b"coding" in line for line in source.split(b"\n", 2)[:2]):
                raise ValueError("another encoding")
            known[:] = state, None
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                code = compile(source, script, "exec", 0, True)
            known[1] = None if warned else code
        return known[1]

    confine, filter = fence() if is_confined else (None, None)
    from importlib.machinery import SourceFileLoader

    preload()
    loaded = {name.partition(".")[0] for name in set(sys.modules) - at_start}
    # The home folder was another one until now, so that no file of the bot was read at the start.
    import site

    site.USER_BASE = site.USER_SITE = None
    os.environ["HOME"] = home
    user_site = site.getusersitepackages()

    def is_cold():
        """Whether files of the bot would be loaded in the place of what is there already."""
        if os.path.exists(user_site):
            return True
        return any(name.partition(".")[0] in loaded for name in os.listdir(script_folder))

    # Also in folders that the bot may add to its path.
    below = (name for _, folders, files in os.walk(os.getcwd()) for name in folders + files)
    if any(name.partition(".")[0] in loaded for name in below):
        os._exit(0)

    gc.collect()
    # What is there is not looked at again, and so stays shared with all forks.
    gc.freeze()
    os.write(0, b"ready\n")
    pending = b""
    while True:
        while b"\n" not in pending:
            part = os.read(0, 65536)
            if not part:
                os._exit(0)
            pending += part
        line, _, pending = pending.partition(b"\n")
        turn_folder, *earlier = [os.fsdecode(bytes.fromhex(name)) for name in line.decode().split()]
        try:
            code = compiled()
            pid = -1 if is_cold() else os.fork()
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            pid = -1
        if pid == 0:
            break
        if pid < 0:
            os.write(0, b"cold\n")
            continue
        _, status, used = os.wait4(pid, 0)
        time = int((used.ru_utime + used.ru_stime) * 1e6)
        os.write(0, b"%d %d %d\n" % (os.waitstatus_to_exitcode(status), time, used.ru_maxrss))

    # From here on this is the run of the bot.
    before = set(sys.modules)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    for stream in (1, 2):
        # The run before may have changed what both share.
        os.set_blocking(stream, True)
    os.environ["TMPDIR"] = turn_folder
    if is_confined:
        confine([os.getcwd(), turn_folder, *earlier, "/dev/null", "/dev/full"])
        filter(os.getpid(), os.getppid())
    else:
        os.setpgid(0, 0)
    sys.argv = [script, key, turn_folder, *arguments]
    sys.orig_argv = [sys.orig_argv[0], *sys.argv]
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, script_folder)
    if "linecache" in sys.modules:
        # Python 3.13 keeps the lines of this program, and would show them in the place of what the bot executes.
        sys.modules["linecache"].clearcache()
    main = type(sys)("__main__")
    main.__dict__.update(
        __annotations__={}, __builtins__=sys.modules["builtins"], __file__=script, __cached__=None,
        __loader__=SourceFileLoader("__main__", script),
    )
    own_code = sys.modules["__main__"].serve.__code__
    sys.modules["__main__"] = main

    def described(fault):
        """A fault as hooks are told of it, without the calls of this program."""
        trace = fault.__traceback__
        while trace and trace.tb_frame.f_code is own_code:
            trace = trace.tb_next
        fault.__traceback__ = trace
        return type(fault), fault, trace

    status, fault = 0, None
    try:
        exec(code or compile(read(script), script, "exec", 0, True), main.__dict__)
    except SystemExit as end:
        if isinstance(end.code, int):
            status = end.code & 0xFF if -(1 << 63) <= end.code < 1 << 63 else 0xFF
        elif end.code is not None:
            status = 1
            print(end.code, file=sys.stderr)
    except BaseException as end:
        fault = end
    # Here, where it is not the context of what the hook raises.
    if fault is not None:
        status = -2 if isinstance(fault, KeyboardInterrupt) else 1
        sys.last_type, sys.last_value, sys.last_traceback = described(fault)
        if sys.version_info >= (3, 12):
            sys.last_exc = fault
        wrong = None
        try:
            sys.excepthook(*described(fault))
        except SystemExit:
            raise
        except BaseException as end:
            wrong = end
        if wrong is not None:
            print("Error in sys.excepthook:", file=sys.stderr)
            sys.__excepthook__(*described(wrong))
            print("\nOriginal exception was:", file=sys.stderr)
            sys.__excepthook__(*described(fault))
        fault = wrong = None

    # The end of the interpreter, in its order, without the work of taking all apart that is shared.
    def flushed():
        is_done = True
        for stream in (getattr(sys, "stdout", None), getattr(sys, "stderr", None)):
            try:
                # What a bot puts in their place may know less than a file.
                is_closed = stream is None or stream.closed
            except BaseException:
                is_closed = False
            try:
                if not is_closed:
                    stream.flush()
            except BaseException:
                is_done = False
        return is_done

    def flush_files():
        for kinds in ((io.TextIOWrapper,), (io.BufferedWriter, io.BufferedRandom)):
            for thing in gc.get_objects():
                if issubclass(type(thing), kinds):
                    try:
                        if not thing.closed:
                            thing.flush()
                    except Exception:
                        pass

    def clear(module):
        for is_private in (True, False):
            for name in list(module):
                if name != "__builtins__" and (name[:1] == "_" and name[1:2] != "_") == is_private:
                    module[name] = None

    try:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
    except BaseException as fault:
        sys.excepthook(type(fault), fault, fault.__traceback__)
    if len(sys._current_frames()) > 1:
        # Threads that run on: only Python itself can stop them.
        sys.exit(status)
    try:
        import atexit

        atexit._run_exitfuncs()
        if not flushed():
            status = 120
        for name in ("last_type", "last_value", "last_traceback", "last_exc"):
            sys.__dict__.pop(name, None)
        # The collector may close the parts of a file in any order.
        flush_files()
        for name in ("stdin", "stdout", "stderr"):
            setattr(sys, name, getattr(sys, f"__{name}__", None))
        # As Python does: what nobody holds any more goes with its globals as they are, then the rest loses its globals.
        import weakref

        own = []
        for name in [name for name in sys.modules if name not in before or name == "__main__"]:
            module = sys.modules.pop(name)
            if isinstance(module, type(sys)):
                own.append(weakref.ref(module))
        module = main = None
        gc.collect()
        for module in own:
            module = module()
            if module is not None:
                clear(module.__dict__)
        module = None
        gc.collect()
        flush_files()
        flushed()
    finally:
        if status == -2:
            import _signal

            _signal.signal(2, _signal.SIG_DFL)
            os.kill(os.getpid(), 2)
        os._exit(status)


serve()
