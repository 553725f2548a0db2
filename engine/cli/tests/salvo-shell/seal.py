#!/usr/bin/env python3
"""seal.py SECRET: for each line of standard input the envelope base64(salt | nonce | mac | ciphertext) as a line."""
import base64, sys
from nacl import pwhash, secret, utils
salt = utils.random(16)
key = pwhash.argon2id.kdf(32, sys.argv[1].encode(), salt, opslimit=pwhash.argon2id.OPSLIMIT_INTERACTIVE,
                          memlimit=pwhash.argon2id.MEMLIMIT_INTERACTIVE)
for line in sys.stdin.buffer:
    text = line.removesuffix(b"\n")
    print(base64.b64encode(salt + secret.SecretBox(key).encrypt(text)).decode(), flush=True)
