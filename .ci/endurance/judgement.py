"""Checks of what a server has kept after the kills."""
import collections
import hashlib
import random
import re
import subprocess

from .report import table
from .server import lines_of


def by_interface(run, checks) -> None:
    """Compares what the server says with what it has answered before."""
    versions, logs = {}, []
    for name, team in run.teams.items():
        rows = team.insist("GET", "")[1]
        versions[name] = {row["version"]: row for row in rows}
        if sorted(versions[name]) != list(range(1, len(rows) + 1)):
            logs.append(f"{name} has the versions {sorted(row['version'] for row in rows)}")
    run.versions = versions
    everything = [(name, number, row) for name, rows in versions.items() for number, row in rows.items()]
    states = collections.Counter(row["state"] for _, _, row in everything)
    checks.holds("versions are numbered without gaps and doubles", logs, f"{len(everything)} versions")
    archives = collections.Counter((name, row["archive"]) for name, _, row in everything)
    checks.holds("no archive of a team is two versions", [f"{name}: {sha[:8]}" for (name, sha), count in archives.items() if count > 1])
    lost = [f"{name} v{number}" for name, number, sha, _ in run.answered if versions[name].get(number, {}).get("archive") != sha]
    checks.holds("each upload that was answered is there", lost,
                 f"{len(run.answered)} answered, {run.unanswered} times no answer, {run.activations} switches")
    checks.holds("no upload was refused", run.failures)
    open_ones = [f"{name} v{number} {row['state']}" for name, number, row in everything if row["state"] not in ("accepted", "rejected")]
    checks.holds("each version has its verdict", open_ones, ", ".join(f"{count} {state}" for state, count in sorted(states.items())))
    unlogged = []
    judged = [one for one in everything if one[2]["state"] in ("accepted", "rejected")]
    for name, number, row in judged:
        status, log = run.teams[name].insist("GET", f"/{number}/log")
        if status != 200 or row["state"] not in log:
            unlogged.append(f"{name} v{number}: {status} {log[-60:]!r} ({row['state']}, {row['reason']})")
    checks.holds("each version with a verdict has a log that tells it", unlogged)
    run.server.stop_games()
    run.games_told = run.server.view()["games"]


def by_files(run, checks) -> None:
    """Checks the journals, records and folders of a server that has ended, and prints who was accepted."""
    server = run.server
    lines = [line for line in server.journal() if line["line"] == "contest"]
    per_version = collections.defaultdict(collections.Counter)
    for line in lines:
        if "version" in line:
            per_version[line["bot"], line["version"]][line["what"]] += 1
    known = {(bot, version) for bot, version in per_version}
    wrong = [f"{key}: {dict(counts)}" for key, counts in per_version.items()
             if counts["submitted"] != 1 or counts["accepted"] + counts["rejected"] > 1 or counts["judged"] > 2 + counts["queued"]]
    checks.holds("no version was handed in twice, or has two verdicts", wrong, f"{len(known)} versions, {len(lines)} lines")
    told = sum(len(rows) for rows in run.versions.values())
    checks.holds("the journal has the versions that the server tells", told != len(known))

    entrants, games, wrong, unkept = {}, [], [], []
    accepted = {f"versions/{bot}-{version}" for (bot, version), counts in per_version.items() if counts["accepted"]}
    for line in lines_of(server.contest / "games.jsonl"):
        if line["line"] == "entrant":
            entrants.setdefault(line["name"], len(entrants))
            if not line["bot"].startswith("builtin:") and line["bot"] not in accepted:
                wrong.append(f"{line['name']} plays without being accepted")
        elif line["line"] == "game":
            games.append(line)
            if max(line["first"], line["second"]) >= len(entrants) or line["first"] == line["second"]:
                wrong.append(f"a game of {line['first']} and {line['second']}, of whom one is unknown")
            if not (server.contest / line.get("record", "none")).is_file():
                unkept.append(line.get("record", f"none of {line['first']}-{line['second']}-{line['number']}"))
    doubles = collections.Counter((game["first"], game["second"], game["number"]) for game in games)
    checks.holds("each game has two entrants, who were accepted", wrong, f"{len(games)} games, {len(entrants)} entrants")
    checks.holds("no game is there twice", [key for key, count in doubles.items() if count > 1])
    checks.holds("the server tells the number of games", run.games_told != len(games), run.games_told)
    checks.holds("each game has its record", unkept)
    records = sorted((server.contest / "records").glob("*.zst"))
    sample = random.Random(run.arguments.seed).sample(records, min(50, len(records)))
    if sample:
        verified = subprocess.run([server.program, "verify", "--quiet", *sample], capture_output=True, text=True)
        wrong = verified.stdout.splitlines() or [verified.stderr] if verified.returncode else []
        checks.holds("records are verified", wrong, f"{len(sample)} of {len(records)}")

    shas = {line["archive"] for line in lines if line["what"] == "submitted"}
    rejected = {key for key, counts in per_version.items() if counts["rejected"]}
    needed = {line["archive"] for line in lines if line["what"] == "submitted" and (line["bot"], line["version"]) not in rejected}
    names = {path.name: path for path in (server.contest / "archives").iterdir()}
    damaged = [name for name, path in names.items() if name in shas and hashlib.sha256(path.read_bytes()).hexdigest() != name]
    checks.holds("each archive that may be needed is whole", sorted(needed - set(names)) + damaged)
    strays = sorted(set(names) - needed)
    strays += sorted({path.name for path in (server.contest / "versions").iterdir()} - {f"{bot}-{version}" for bot, version in known})
    checks.holds("nothing of refused or broken uploads is left", strays)
    said = (server.folder / "server.log").read_text(errors="replace")
    checks.holds("the server says nothing of panics", re.findall(r".*panicked.*", said))
    harm = run.victim.harm(run.begin)
    checks.holds("attacks reached nothing", harm)
    verdicts(run, checks, games, list(entrants))


def verdicts(run, checks, games: list, entrants: list) -> None:
    """Prints who was accepted, by language, with the reasons of rejections, and what hostile bots did."""
    by_language, reasons, wrong = collections.defaultdict(collections.Counter), [], []
    for name, rows in run.versions.items():
        bot = run.bots[name]
        for number, row in sorted(rows.items()):
            by_language[bot.language or "(no bot)"][row["state"]] += 1
            if row["state"] == "rejected":
                reasons.append((name, f"v{number}", row["reason"].replace("\n", " ")[:150]))
            was_killed = "the server ended" in (row["reason"] or "")
            if (bot.kind, row["state"]) in (("honest", "rejected"), ("broken", "accepted")) and not was_killed:
                wrong.append(f"{name} v{number} {row['state']}: {row['reason']}")
    table("versions by language", ["language", "accepted", "rejected"],
          [(language, counts["accepted"], counts["rejected"]) for language, counts in sorted(by_language.items())])
    table("rejections", ["bot", "version", "reason"], sorted(reasons))
    faults, played = collections.defaultdict(collections.Counter), collections.Counter()
    for game in games:
        # In a game of even number, the first entrant sits in seat A.
        seats = [game["first"], game["second"]][:: 1 if game["number"] % 2 == 0 else -1]
        for entrant, player in zip(seats, game["players"]):
            team = entrants[entrant].rpartition(" v")[0]
            played[team] += 1
            faults[team].update(player.get("faults", {}))
    rows = []
    for name, bot in sorted(run.bots.items()):
        states = collections.Counter(row["state"] for row in run.versions[name].values())
        if bot.kind != "honest" and states["accepted"]:
            parked = [row["reason"] for row in run.versions[name].values() if row["state"] == "accepted" and row["reason"]]
            did = ", ".join(f"{count} {kind}" for kind, count in sorted(faults[name].items())) or "none"
            did += f"; parked: {parked[0][:80]}" if parked else ""
            rows.append((name, states["accepted"], states["rejected"], played[name], did))
    table("broken and hostile bots that were accepted", ["bot", "accepted", "rejected", "games", "turns lost"], rows)
    checks.holds("honest bots were accepted, broken ones rejected", wrong)
