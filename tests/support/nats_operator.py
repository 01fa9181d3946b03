"""An operator, an account and a user of NATS, as `nsc` would make them: what servers and clients need of them, in a folder.

    python3 nats_operator.py FOLDER      writes FOLDER/servers.conf and FOLDER/user.creds

Keys are Ed25519, made and used by openssl; names of keys and the claims' shape are those of NATS 2 (nkeys, JWT version 2).
"""
import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import time

OPERATOR, ACCOUNT, USER, SEED = 14 << 3, 0, 20 << 3, 18 << 3
UNLIMITED = {name: -1 for name in ("subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage",
                                   "disk_storage", "streams", "consumer")}


def crc16(data):
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def spell(data):
    return base64.b32encode(data + crc16(data).to_bytes(2, "little")).decode().rstrip("=")


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Key:
    def __init__(self, folder, name, kind):
        self.kind = kind
        self.path = folder / (name + ".pem")
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.path], check=True)
        self.private = self._der("-outform")[-32:]
        self.public = self._der("-pubout", "-outform")[-32:]
        self.name = spell(bytes([kind]) + self.public)

    def _der(self, *form):
        return subprocess.run(["openssl", "pkey", "-in", self.path, *form, "DER"], check=True, capture_output=True).stdout

    def seed(self):
        return spell(bytes([SEED | self.kind >> 5, (self.kind & 31) << 3]) + self.private)

    def sign(self, subject, name, claims):
        said = {"iat": int(time.time()), "iss": self.name, "name": name, "sub": subject.name, "nats": {**claims, "version": 2}}
        said["jti"] = spell(hashlib.sha256(json.dumps(said).encode()).digest())
        text = ".".join(base64url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ed25519-nkey"}, said))
        message = self.path.with_suffix(".message")
        message.write_text(text)
        signature = subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.path, "-in", message],
                                   check=True, capture_output=True).stdout
        return text + "." + base64url(signature)


def main(folder):
    operator, system, account, user = (Key(folder, name, kind) for name, kind in (
        ("operator", OPERATOR), ("system", ACCOUNT), ("account", ACCOUNT), ("user", USER)))
    no_rules = {"pub": {}, "sub": {}}
    of_accounts = {"type": "account", "limits": {**UNLIMITED, "wildcards": True}, "default_permissions": no_rules}
    (folder / "servers.conf").write_text(
        f"operator: {operator.sign(operator, 'test', {'type': 'operator'})}\n"
        f"system_account: {system.name}\n"
        "resolver: MEMORY\n"
        "resolver_preload: {\n"
        f"  {system.name}: {operator.sign(system, 'SYS', {**of_accounts, 'limits': {'subs': -1, 'conn': -1, 'data': -1, 'payload': -1}})}\n"
        f"  {account.name}: {operator.sign(account, 'fleet', of_accounts)}\n"
        "}\n")
    token = account.sign(user, "agent", {"type": "user", **no_rules, "subs": -1, "data": -1, "payload": -1})
    (folder / "user.creds").write_text(
        f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{user.seed()}\n------END USER NKEY SEED------\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
