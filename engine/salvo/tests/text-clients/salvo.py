"""Salvo over MQTT.  python3 client.py HOST PORT NAME SECRET [patrol_boat [new-salts=N]]"""
import base64
import functools
import json
import queue
import random
import sys
import time

import nacl.pwhash.argon2id as argon2id
import nacl.utils
import paho.mqtt.client as mqtt
from nacl.secret import SecretBox

SIZE = 10  # columns 1 to 10 and rows A to J for people; messages count both from 0


@functools.cache
def derive_key(secret, salt):
    return argon2id.kdf(SecretBox.KEY_SIZE, secret.encode(), salt,
                        opslimit=argon2id.OPSLIMIT_INTERACTIVE,
                        memlimit=argon2id.MEMLIMIT_INTERACTIVE)


def new_salt():
    return nacl.utils.random(argon2id.SALTBYTES)


def encrypt(secret, salt, text):
    # salt + nonce + mac + ciphertext; encrypt() puts the nonce in front itself
    box = SecretBox(derive_key(secret, salt))
    return base64.b64encode(salt + bytes(box.encrypt(text.encode()))).decode()


class Client:
    def __init__(self, host, port, name, secret, patrol="Patrol boat", salts="one"):
        self.name, self.secret = name, secret
        self.salt = new_salt()
        self.new_salts = int(salts.partition("new-salts=")[2] or 0)  # so many messages have a salt of their own
        self.ships = {"Carrier": 5, "Battleship": 4, "Destroyer": 3, "Submarine": 3, patrol: 2}
        self.me = f"/players/{name}"
        self.events = queue.Queue()
        self.state = None
        self.asked = self.placed = False
        self.my_turn = False
        self.players, self.defeated = [], set()
        self.board = {}          # ship -> its cells on my map
        self.retries = {}
        self.sunk = set()        # my own ships that went down
        self.shots = {}          # player -> {cell: chance that it was a hit}
        self.volley = None       # (player, cells) waiting for /game/hits
        self.winner = None

        self.mqtt = mqtt.Client()
        self.mqtt.on_connect = self.on_connect
        self.mqtt.on_message = lambda c, u, msg: self.events.put(msg)
        self.mqtt.connect(host, port)

    def on_connect(self, client, userdata, flags, rc):
        topics = ["/game/state", "/game/current", "/game/hits", "/game/winner",
                  "/players/list", "/players/count", self.me + "/hit"]
        for ship in self.ships:
            topics += [f"{self.me}/ships/{ship}/approved", f"{self.me}/ships/{ship}/error"]
        # The rules write these two with "player"; listen to both spellings.
        for root in ("/player", "/players"):
            topics += [f"{root}/{self.name}/ships/+/sunk", f"{root}/+/defeated"]
        client.subscribe([(t, 1) for t in topics])
        # The lobby state is retained, so it comes after the subscription is done.

    def encrypt(self, text):
        self.new_salts -= 1
        return encrypt(self.secret, new_salt() if self.new_salts >= 0 else self.salt, text)

    def publish(self, topic, payload):
        self.mqtt.publish(topic, payload, qos=1)

    def run(self):
        self.mqtt.loop_start()
        over_at = None
        while over_at is None or (self.winner is None and time.time() < over_at + 10):
            try:
                msg = self.events.get(timeout=0.5)
            except queue.Empty:
                continue
            self.handle(msg.topic, msg.payload.decode(), msg.retain)
            if self.state == "over" and self.asked:
                over_at = over_at or time.time()
        self.mqtt.disconnect()
        self.mqtt.loop_stop()
        return self.winner

    def handle(self, topic, payload, retained):
        part = topic.split("/")[1:]
        if topic == "/game/state":
            self.state = payload.strip('" \n')
            print("state:", self.state)
            if self.state == "lobby":  # forget what was left from an earlier game
                self.my_turn = False
                self.sunk.clear()
                self.defeated.clear()
            if self.state == "lobby" and not self.asked:
                self.asked = True
                self.publish("/game/request_participation",
                             json.dumps({"name": self.name, "secret": self.secret}))
        elif topic == "/players/list":
            self.players = json.loads(payload or "[]")
            if self.asked and self.name in self.players and not self.placed and not retained:
                self.placed = True
                self.place_all()
        elif retained:
            return  # left over from an earlier game
        elif topic == "/game/current":
            self.my_turn = payload.strip('" \n') == self.name
        elif topic == "/game/hits":
            self.learn(int(payload))
        elif topic == "/game/winner":
            self.winner = payload.strip('" \n')
        elif topic == self.me + "/hit":
            print("shot at us:", payload)
        elif part[-1] == "approved":
            print(part[3], "approved:", payload)
        elif part[-1] == "error" and payload:
            print(part[3], "error:", payload)
            self.retries[part[3]] = self.retries.get(part[3], 0) + 1
            if self.state == "lobby" and self.retries[part[3]] <= 3:
                self.place(part[3])
        elif part[-1] == "sunk" and payload == "true":
            self.sunk.add(part[3])
        elif part[-1] == "defeated" and payload == "true":
            self.defeated.add(part[1])

        if self.my_turn and self.state == "turn":
            self.my_turn = False
            self.fire()

    def place_all(self):
        for ship in self.ships:
            self.place(ship)

    def place(self, ship):
        length = self.ships[ship]
        taken = {c for s, cells in self.board.items() if s != ship for c in cells}
        while True:
            flat = random.random() < 0.5
            x = random.randrange(SIZE - length + 1 if flat else SIZE)
            y = random.randrange(SIZE if flat else SIZE - length + 1)
            cells = {(x + i, y) if flat else (x, y + i) for i in range(length)}
            if not cells & taken:
                break
        self.board[ship] = cells
        body = {"coordinates": f"{x};{y}", "Orientation": "HORIZONTAL" if flat else "VERTICAL"}
        self.publish(f"{self.me}/ships/{ship}/place", self.encrypt(json.dumps(body)))

    def fire(self):
        targets = [p for p in self.players if p != self.name and p not in self.defeated]
        if not targets:
            return
        target = targets[0]
        count = len(self.ships) - len(self.sunk)
        cells = self.best_cells(target, count)
        self.volley = (target, cells)
        for x, y in cells:
            data = {"x": x, "y": y}
            signature = self.encrypt(json.dumps(data))
            self.publish(f"/players/{target}/fire", json.dumps({"data": data, "signature": signature}))

    def best_cells(self, target, count):
        """Fresh cells, best next to cells that were probably hits."""
        known = self.shots.setdefault(target, {})
        fresh = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) not in known]
        if len(fresh) < count:  # the map is nearly done, repeat some old shots
            return fresh + random.sample(list(known), count - len(fresh))

        def score(cell):
            x, y = cell
            near = [known.get(n, 0) for n in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))]
            return max(near) + 0.1 * ((x + y) % 2) + 0.05 * random.random()

        return sorted(fresh, key=score, reverse=True)[:count]

    def learn(self, hits):
        if self.volley is None:
            return  # somebody else's salvo
        target, cells = self.volley
        self.volley = None
        print(f"{hits} of {len(cells)} hit {target}")
        for cell in cells:
            self.shots[target][cell] = hits / len(cells)


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6, 7):
        sys.exit(__doc__)
    host, port, name, secret = sys.argv[1:5]
    winner = Client(host, int(port), name, secret, *sys.argv[5:]).run()
    if winner is None:
        sys.exit("the game is over, but no winner was announced")
    print("winner:", winner)
