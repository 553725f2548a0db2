# An interpreter that has loaded what a bot imports from Python's own library, and that forks once a turn. The fork is the run
# of the bot. `mod.rs` starts it as `python3 -c THIS HOME SCRIPT KEY FOLDER ARGUMENT ...`, where HOME is the bot's home folder in
# the sandbox, or empty without one.
#
# Descriptor 0 is a socket. The first line on it is `ready`; where this cannot work, the interpreter ends without it. A request is a
# line with the folder of the turn as hexadecimal bytes. The answer is `cold`, if the bot has to be started in the usual way, or the
# exit status of the run (the negative number of a signal), its processor time in microseconds, and its peak memory in KiB.
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

    home, script, key, _, *arguments = sys.argv[1:]
    script_folder = os.path.dirname(os.path.realpath(script))

    def read(path):
        with open(path, "rb") as file:
            return file.read()

    def ban_on_forks():
        """A function that installs a filter of system calls: clone(2) makes threads only."""
        import ctypes
        import struct

        clone = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
        # Load the number; another call is allowed; load the flags; CLONE_THREAD is allowed; EPERM; allowed.
        steps = [
            (0x20, 0, 0, 0), (0x15, 0, 3, clone), (0x20, 0, 0, 16), (0x45, 1, 0, 0x10000),
            (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000),
        ]
        filter = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
        program = ctypes.create_string_buffer(struct.pack("=HxxxxxxQ", len(steps), ctypes.addressof(filter)))
        prctl = ctypes.CDLL(None).prctl

        def install():
            # The program points into the filter, which has to be there still.
            if filter and prctl(22, ctypes.c_ulong(2), program) != 0:
                os._exit(126)

        return install

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
        # The first two do something when they are imported; the others are not what a bot means.
        odd = ("antigravity", "this", "__main__", "site", "idlelib", "test")
        with warnings.catch_warnings():
            # A module that warns is loaded by the bot itself, which is told then.
            warnings.simplefilter("error")
            for name, wanted in list(imports(script, set())):
                top = name.partition(".")[0]
                if top in sys.stdlib_module_names and top not in odd:
                    try:
                        __import__(name, None, None, wanted)
                    except Exception:
                        pass

    known = [None, None]

    def compiled():
        """The code of the script; None if it has faults or warnings, which the run itself has to tell."""
        try:
            stat = os.stat(script)
            state = stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
            if known[0] != state:
                known[:] = state, None
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    known[1] = compile(read(script), script, "exec", 0, True)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError, Warning):
            pass
        return known[1]

    forbid_forks = ban_on_forks() if home else None
    from importlib.machinery import SourceFileLoader

    preload()
    loaded = {name.partition(".")[0] for name in set(sys.modules) - at_start}
    user_site = None
    if home:
        # The home folder was another one until now, so that no file of the bot was read at the start.
        import site

        site.USER_BASE = site.USER_SITE = None
        os.environ["HOME"] = home
        user_site = site.getusersitepackages()

    def is_cold():
        """Whether files of the bot would be loaded in the place of what is there already."""
        if user_site and os.path.exists(user_site):
            return True
        return any(name.partition(".")[0] in loaded for name in os.listdir(script_folder))

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
        turn_folder = os.fsdecode(bytes.fromhex(line.decode()))
        try:
            code = compiled()
            pid = -1 if is_cold() else os.fork()
        except OSError:
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
    if forbid_forks:
        forbid_forks()
        os.environ["TMPDIR"] = turn_folder
    sys.argv = [script, key, turn_folder, *arguments]
    sys.orig_argv = [sys.orig_argv[0], *sys.argv]
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, script_folder)
    main = sys.modules["__main__"].__dict__
    own_code = main.pop("serve").__code__
    main.update(__file__=script, __cached__=None, __loader__=SourceFileLoader("__main__", script))
    status = 0
    try:
        exec(code or compile(read(script), script, "exec", 0, True), main)
    except SystemExit as end:
        if isinstance(end.code, int):
            status = end.code & 0xFF
        elif end.code is not None:
            status = 1
            print(end.code, file=sys.stderr)
    except BaseException as fault:
        status = 1
        trace = fault.__traceback__
        while trace and trace.tb_frame.f_code is own_code:
            trace = trace.tb_next
        fault.__traceback__ = trace
        sys.last_type, sys.last_value, sys.last_traceback = type(fault), fault, trace
        del trace
        sys.excepthook(type(fault), fault, fault.__traceback__)

    # The end of the interpreter, in its order, without the work of taking all apart that is shared.
    def flushed():
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None and not stream.closed:
                    stream.flush()
            except Exception:
                return False
        return True

    def clear(module):
        for is_private in (True, False):
            for name in list(module):
                if name != "__builtins__" and (name[:1] == "_" and name[1:2] != "_") == is_private:
                    module[name] = None

    try:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        import atexit

        atexit._run_exitfuncs()
        if not flushed():
            status = 120
        for name in ("last_type", "last_value", "last_traceback", "last_exc"):
            sys.__dict__.pop(name, None)
        clear(main)
        for name in set(sys.modules) - before:
            clear(getattr(sys.modules.pop(name), "__dict__", {}))
        gc.collect()
        # Files that something else still holds.
        for kinds in ((io.TextIOWrapper,), (io.BufferedWriter, io.BufferedRandom)):
            for thing in gc.get_objects():
                if issubclass(type(thing), kinds) and not thing.closed:
                    try:
                        thing.flush()
                    except Exception:
                        pass
        flushed()
    finally:
        os._exit(status)


serve()
