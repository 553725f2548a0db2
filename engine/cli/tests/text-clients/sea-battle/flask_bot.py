import random
import sys

from flask import Flask, jsonify, request

app = Flask(__name__)

FLEET = [
    ("fourdeck", 4), ("battleship", 3), ("threeship", 3),
    ("submarine", 2), ("twoship", 2), ("twoship", 2),
    ("oneship", 1), ("oneship", 1), ("oneship", 1), ("oneship", 1),
]


def around(x, y):
    return {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def random_fleet(size):
    while True:
        taken, ships = set(), []
        for kind, length in FLEET:
            for _ in range(200):
                dx, dy = random.choice([(1, 0), (0, 1)])
                x = random.randrange(size - dx * (length - 1))
                y = random.randrange(size - dy * (length - 1))
                cells = [(x + dx * i, y + dy * i) for i in range(length)]
                if not taken & set(cells):
                    break
            else:
                break  # stuck, start again
            for c in cells:
                taken |= around(*c)
            ships.append({"type": kind, "cells": [{"x": x, "y": y} for x, y in cells]})
        if len(ships) == len(FLEET):
            return ships


def on_board(c):
    return 0 <= c[0] < 10 and 0 <= c[1] < 10


def groups_of(cells):
    """Split hit cells into connected groups, one group per ship."""
    left, groups = set(cells), []
    while left:
        todo, group = [left.pop()], set()
        while todo:
            x, y = todo.pop()
            group.add((x, y))
            for n in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if n in left:
                    left.remove(n)
                    todo.append(n)
        groups.append(group)
    return groups


def follow_up(group):
    """Cells where the ship may go on."""
    xs = {x for x, _ in group}
    ys = {y for _, y in group}
    result = set()
    if len(ys) == 1:
        y = min(ys)
        result |= {(min(xs) - 1, y), (max(xs) + 1, y)}
    if len(xs) == 1:
        x = min(xs)
        result |= {(x, min(ys) - 1), (x, max(ys) + 1)}
    return result


def choose(data):
    count, hits, sunk = {}, set(), set()
    for s in data["yourShots"]:
        c = (s["x"], s["y"])
        count[c] = count.get(c, 0) + 1
        if s["result"] in ("hit", "sunk"):
            hits.add(c)
        if s["result"] == "sunk":
            sunk.add(c)

    groups = groups_of(hits)
    blocked = set(count)
    for g in groups:
        if g & sunk:  # ships never touch, so the water around is empty
            for c in g:
                blocked |= around(*c)
    free = [(x, y) for x in range(10) for y in range(10) if (x, y) not in blocked]

    for g in groups:
        if g & sunk:
            continue
        targets = [c for c in follow_up(g) if c in free]
        if targets:
            return shot(random.choice(targets))
        # No way to go on and still afloat: the armored battleship.
        least = min(count[c] for c in g)
        return shot(random.choice([c for c in g if count[c] == least]))

    seen = {(c["x"], c["y"]) for r in data["radarHistory"] for c in r["visibleCells"]}
    for c in free:
        if c in seen:
            return shot(c)

    if not data["radarUsed"] and not data["radarHistory"] and len(data["yourShots"]) >= 20:
        best = max(((x, y) for x in range(1, 9) for y in range(1, 9)),
                   key=lambda c: len(around(*c) & set(free)))
        return {"type": "radar", "center": {"x": best[0], "y": best[1]}}

    return shot(random.choice(free or [(0, 0)]))


def shot(c):
    return {"type": "shot", "x": c[0], "y": c[1]}


@app.route("/placement", methods=["POST"])
def placement():
    data = request.get_json()
    return jsonify(ships=random_fleet(data["boardSize"]))


@app.route("/move", methods=["POST"])
def move():
    return jsonify(choose(request.get_json()))


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(sys.argv[1]))
