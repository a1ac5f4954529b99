"""A device with passkeys, in software: what a browser would send for it."""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url, encode_cbor

Json = dict[str, Any]
PLACE = "games.example.org"
HOME = f"http://{PLACE}"
PRESENT, VERIFIED, WITH_KEY = 0x01, 0x04, 0x40


class Device:
    def __init__(self, origin: str = HOME, flags: int = PRESENT | VERIFIED) -> None:
        self.origin, self.flags, self.count = origin, flags, 0
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(16)

    def create(self, options: Json) -> Json:
        """As `navigator.credentials.create`."""
        told = self._told("webauthn.create", options["challenge"])
        data = self._data(options["rp"]["id"], WITH_KEY) + bytes(16) + struct.pack(">H", len(self.id)) + self.id
        attested = {"fmt": "none", "attStmt": {}, "authData": data + self._public()}
        return self._answer({"clientDataJSON": told, "attestationObject": encode_cbor(attested)})

    def get(self, options: Json) -> Json:
        """As `navigator.credentials.get`."""
        self.count += 1
        told, data = self._told("webauthn.get", options["challenge"]), self._data(options["rpId"])
        signed = self._key.sign(data + hashlib.sha256(told).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer({"clientDataJSON": told, "authenticatorData": data, "signature": signed})

    def _told(self, type_: str, challenge: str) -> bytes:
        return json.dumps({"type": type_, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, place: str, more: int = 0) -> bytes:
        return hashlib.sha256(place.encode()).digest() + struct.pack(">BI", self.flags | more, self.count)

    def _public(self) -> bytes:
        numbers = self._key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        return bytes(encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y}))

    def _answer(self, response: dict[str, bytes]) -> Json:
        id_ = bytes_to_base64url(self.id)
        said = {name: bytes_to_base64url(value) for name, value in response.items()}
        return {"id": id_, "rawId": id_, "type": "public-key", "response": said, "clientExtensionResults": {}}
