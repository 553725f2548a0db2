"""A server with a contest, and requests to it."""
import atexit
import http.client
import json
import os
import pathlib
import subprocess
import time
import urllib.parse

from .report import say

NAME = "endurance"
PASSWORD = "a long password of a team"
ADMIN = "a long password of nobody"
# An exchange that was broken off, also because the server was killed.
BROKEN = (OSError, http.client.HTTPException)


class Server:
    """A server of this program in a folder."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path, port: int, **settings):
        folder.mkdir(parents=True, exist_ok=True)
        self.program, self.folder, self.port = program, folder, port
        self.contest = folder / "contests" / NAME
        self.process = None
        atexit.register(self._end)
        size = settings.pop("size", "small")
        lines = [f"{key} = {json.dumps(value)}" for key, value in {"name": NAME, "title": "Endurance", "game": "entelect-2017",
                                                                  **settings}.items()]
        (folder / "contest.toml").write_text("\n".join(lines) + f'\n[settings]\nsize = "{size}"\n')

    def start(self, path: str = f"/api/contests/{NAME}") -> float:
        """Starts the server; returns the seconds until it answered a request for this path."""
        begin = time.monotonic()
        command = [self.program, "serve", "--contest", self.folder / "contest.toml", "--listen", f"127.0.0.1:{self.port}",
                   "--dir", self.folder, "--connections-per-address", "512"]
        environment = dict(os.environ, BROADSIDE_ADMIN_PASSWORD=ADMIN)
        with open(self.folder / "server.log", "ab") as log:
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)
        while True:
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended with {self.process.returncode}; see {self.folder}/server.log")
            try:
                if self.ask("GET", path, seconds=5)[0] == 200:
                    return time.monotonic() - begin
            except BROKEN:
                time.sleep(0.005)

    def _end(self) -> None:
        """Leaves no server behind, whatever has happened here."""
        if self.process and self.process.poll() is None:
            self.kill()

    def kill(self) -> None:
        """Kills the server, and nothing else."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Asks the server to end; returns its exit status."""
        self.process.terminate()
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            say("the server did not end within a minute")
            self.process.kill()
            return self.process.wait()

    def ask(self, method: str, path: str, body=None, token=None, kind="application/json", seconds=60.0):
        """Asks for something; returns the status and the body, from JSON if it is that."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers["Content-Type"] = kind
            body = body if isinstance(body, bytes) else json.dumps(body)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        is_json = "json" in answer.headers.get("Content-Type", "")
        return answer.status, json.loads(data) if is_json and data else data.decode(errors="replace")

    def insist(self, method: str, path: str, body=None, **more):
        """Asks again while the server is away, or says that this comes too often."""
        while True:
            try:
                answer = self.ask(method, path, body, **more)
                if answer[0] != 429:
                    return answer
            except BROKEN:
                pass
            time.sleep(1)

    def view(self) -> dict:
        """The contest, as everyone sees it."""
        return self.insist("GET", f"/api/contests/{NAME}")[1]

    def stop_games(self) -> None:
        """Stops ranked games, and waits until those that are being played have ended."""
        path = f"/api/admin/contests/{NAME}/ranked"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", path, '{"on": false}', {"X-Admin-Password": ADMIN, "Content-Type": "application/json"})
        status = connection.getresponse().status
        connection.close()
        if status != 200:
            raise SystemExit(f"ranked games cannot be stopped: {status}")
        while self.view()["playing"]:
            time.sleep(0.2)

    def journal(self) -> list:
        """The lines of the server's journal. One that is being written is left out."""
        return lines_of(self.folder / "arena.jsonl")


    def end_of_journal(self) -> list:
        """The last of these lines: few enough to be read again and again."""
        with open(self.folder / "arena.jsonl", "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 65536))
            # The first and the last of them may be parts.
            return [json.loads(line) for line in file.read().split(b"\n")[1:-1]]


def lines_of(path: pathlib.Path) -> list:
    """The complete lines of a file of JSON."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]] if path.exists() else []


class Team:
    """A team that is registered."""

    def __init__(self, server: Server, name: str):
        self.server, self.name = server, name
        self.below = f"/api/contests/{NAME}/bots/{urllib.parse.quote(name)}/versions"
        said = {"name": name, "password": PASSWORD, "confirmPassword": PASSWORD}
        status, answer = server.insist("POST", "/api/bots/register", said)
        if status not in (200, 201, 409):
            raise SystemExit(f"{name} cannot register: {status} {answer}")
        self.token = server.insist("POST", "/api/bots/token", {"name": name, "password": PASSWORD})[1]["token"]

    def ask(self, method: str, path: str, body=None, kind="application/zip", seconds=60.0):
        """Asks for something below the versions of the team; a broken exchange is an error."""
        return self.server.ask(method, self.below + path, body, self.token, kind, seconds)

    def insist(self, method: str, path: str):
        """Asks until there is an answer."""
        return self.server.insist(method, self.below + path, token=self.token)
