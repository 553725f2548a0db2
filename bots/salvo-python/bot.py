#!/usr/bin/env python3
"""A client of Salvo: it places its ships at random, and fires at cells that it has not fired at.

    python3 bot.py NAME [--host 127.0.0.1] [--port 1883] [--prefix NAME] [--join-code CODE]

The team's secret is in the variable SALVO_SECRET; without it a new one is made up. docs/protocols/salvo.md in Broadside's
repository has all topics and messages.
"""

import argparse
import base64
import functools
import json
import os
import random
import secrets
import socket
import sys

import nacl.pwhash.argon2id as argon2id
import nacl.secret
import nacl.utils
import paho.mqtt.client as mqtt

SHIPS = {"carrier": 5, "battleship": 4, "destroyer": 3, "submarine": 3, "patrolboat": 2}
SIZE = 10


SALT = nacl.utils.random(argon2id.SALTBYTES)


@functools.lru_cache(maxsize=16)
def key(salt, secret):
    """The key of a message: argon2id, as libsodium does it for interactive use. It takes 50 ms, so it is kept."""
    return argon2id.kdf(
        nacl.secret.SecretBox.KEY_SIZE,
        secret.encode(),
        salt,
        opslimit=argon2id.OPSLIMIT_INTERACTIVE,
        memlimit=argon2id.MEMLIMIT_INTERACTIVE,
    )


def encrypt(text, secret):
    """base64(salt || nonce || mac || ciphertext), with the salt of this run and a new nonce."""
    return base64.b64encode(SALT + nacl.secret.SecretBox(key(SALT, secret)).encrypt(text.encode())).decode()


def decrypt(message, secret):
    """The text of a message. The server sends no encrypted ones; this is here to try things out."""
    data = base64.b64decode(message)
    salt, sealed = data[: argon2id.SALTBYTES], data[argon2id.SALTBYTES :]
    return nacl.secret.SecretBox(key(salt, secret)).decrypt(sealed).decode()


def cells(ship, place):
    x, y, orientation = place
    return {(x, y + i) if orientation == "VERTICAL" else (x + i, y) for i in range(SHIPS[ship])}


def random_fleet(fleet=()):
    """Where each ship begins and how it lies, no two in one cell. Ships that are there already stay where they are."""
    fleet = dict(fleet)
    for ship, length in SHIPS.items():
        while ship not in fleet:
            down = random.random() < 0.5
            x = random.randrange(SIZE if down else SIZE - length + 1)
            y = random.randrange(SIZE - length + 1 if down else SIZE)
            place = (x, y, "VERTICAL" if down else "HORIZONTAL")
            if not any(cells(ship, place) & cells(other, fleet[other]) for other in fleet):
                fleet[ship] = place
    return fleet


def at_once(_client, _userdata, connection):
    """Without this a message may wait 40 ms for the acknowledgement of the one before."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class Bot:
    """A team: what it knows, and what it does when it hears something."""

    def __init__(self, name, secret, prefix, join_code=None):
        self.name, self.secret, self.join_code = name, secret, join_code
        self.root = f"/{prefix}" if prefix else ""
        self.state = None
        self.players = []
        self.new_game()
        # With name and secret as login, the broker knows that this client may read what is told to its team alone.
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.username_pw_set(name, secret)
        self.client.on_connect = self.connected
        self.client.on_socket_open = at_once
        self.client.on_message = self.heard

    def new_game(self):
        self.fleet = random_fleet()
        self.placed = False
        self.moves = 50  # so many ships are put elsewhere if the server does not want them where they are
        self.current = None  # whose salvo begins
        self.defeated = set()
        self.afloat = set(SHIPS)
        self.fired = set()
        self.winner = None

    def connected(self, client, userdata, flags, reason, properties):
        """Also after the connection was lost: the broker may have forgotten what we listen to."""
        if reason.is_failure:
            print(f"{self.name}: the broker says: {reason}", file=sys.stderr)
            client.disconnect()
            return
        self.placed = False  # what was placed may not have arrived
        own = [f"/players/{self.name}/{what}" for what in ("hit", "error", "ships/+/error")]
        news = ["/players/list", "/players/+/ships/+/sunk", "/players/+/defeated", "/game/refused"]
        game = ["/game/current", "/game/winner", "/game/state"]
        client.subscribe([(self.root + topic, 2) for topic in own + news + game])

    def say(self, topic, text):
        self.client.publish(self.root + topic, text, qos=2)

    def heard(self, client, userdata, message):
        topic = message.topic.removeprefix(self.root)
        text = message.payload.decode()
        if not text:  # what was kept of an earlier game is taken back
            return
        levels = topic.split("/")[1:]
        match levels:
            case ["game", "state"]:
                self.game_is(text)
            case ["game", "refused"]:
                refused = json.loads(text)
                # Somebody else may have come with this name; who is in the list has nothing to fear.
                if refused["name"] == self.name and self.state == "lobby" and self.name not in self.players:
                    print(f"{self.name}: {refused['error']}", file=sys.stderr)
                    client.disconnect()
            case ["players", "list"]:
                before, self.players = self.players, json.loads(text)
                if self.name in before and self.name not in self.players and self.state == "lobby":
                    self.placed = False  # our ships were not there in time
                    self.ask()
                self.act()
            case ["game", "current"]:
                self.current = text
                self.act()
            case ["game", "winner"]:
                self.winner = text
            case ["players", player, "ships", ship, "sunk"]:
                if player == self.name:
                    self.afloat.discard(ship)
            case ["players", player, "defeated"]:
                self.defeated.add(player)
            case ["players", _, "ships", ship, "error"]:
                print(f"{self.name}: the server says: {text}", file=sys.stderr)
                self.move(ship)
            case ["players", _, "error"]:
                print(f"{self.name}: the server says: {text}", file=sys.stderr)

    def ask(self):
        request = {"name": self.name, "secret": self.secret}
        if self.join_code:
            request["code"] = self.join_code
        self.say("/game/request_participation", json.dumps(request))

    def game_is(self, state):
        before, self.state = self.state, state
        if state == "lobby":
            if before in ("turn", "over"):  # what was told until now was about a game of others
                self.new_game()
            self.current = None
            self.ask()
        elif state == "over" and before in ("lobby", "turn") and self.name in self.players:
            print(f"{self.name}: the winner is {self.winner or 'nobody'}")
            self.client.disconnect()
        self.act()

    def act(self):
        """What the broker has kept comes in any order, so this looks at all that is known."""
        if self.name not in self.players:
            return
        if self.state == "lobby" and not self.placed:
            self.placed = True
            for ship in self.fleet:
                self.place(ship)
        elif self.state == "turn" and self.current is not None:
            current, self.current = self.current, None
            if current == self.name:
                self.fire()

    def place(self, ship):
        x, y, orientation = self.fleet[ship]
        place = json.dumps({"coordinates": f"{x};{y}", "Orientation": orientation})
        self.say(f"/players/{self.name}/ships/{ship}/place", encrypt(place, self.secret))

    def move(self, ship):
        """The server does not want it there, perhaps because of a ship that we placed before a restart."""
        if self.state == "lobby" and self.moves > 0:
            self.moves -= 1
            del self.fleet[ship]
            self.fleet = random_fleet(self.fleet)
            self.place(ship)

    def fire(self):
        """A shot for each ship that is afloat, each at a player who is still in."""
        targets = [player for player in self.players if player != self.name and player not in self.defeated]
        for _ in self.afloat:
            free = [
                (target, x, y)
                for target in targets
                for x in range(SIZE)
                for y in range(SIZE)
                if (target, x, y) not in self.fired
            ]
            if not free:  # shots were lost on the way
                self.fired.clear()
                continue
            target, x, y = random.choice(free)
            self.fired.add((target, x, y))
            cell = {"x": x, "y": y}
            signature = encrypt(json.dumps(cell), self.secret)
            self.say(f"/players/{target}/fire", json.dumps({"data": cell, "signature": signature}))


def main():
    parser = argparse.ArgumentParser(description="A client of Salvo.")
    parser.add_argument("name", help="name of the team")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--prefix", help="all topics are below /PREFIX")
    parser.add_argument("--join-code", help="code of a server that wants one")
    args = parser.parse_args()
    bot = Bot(args.name, os.environ.get("SALVO_SECRET") or secrets.token_hex(16), args.prefix, args.join_code)
    bot.client.connect(args.host, args.port)
    bot.client.loop_forever(retry_first_connection=True)
    sys.exit(0 if bot.state == "over" else 1)


if __name__ == "__main__":
    main()
