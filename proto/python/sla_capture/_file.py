"""The chunks and frames of a capture file. What the format is: proto/capture/README.md."""

import struct
from typing import Iterator, List, Optional

import zstandard

from . import capture_pb2

try:
    from xxhash import xxh64_intdigest
except ImportError:
    from ._xxh64 import xxh64_intdigest

FILE_MAGIC = b"\x89SLA\r\n\x1a\n"
CHUNK_MAGIC = b"\x93SLAchk\n"
CLOSING_MAGIC = b"\x93SLAend\n"
VERSIONS = (1, 2, 3)
MAX_CHUNK_BYTES = 16 << 20
FRAMES_CHUNK = 1
CHUNK_HEADER = struct.Struct("<8sBBHIIIQQQ")


class CaptureError(Exception):
    """The file is no capture, or of a version this module does not know."""


def _chunks(file, damage: List[str]) -> Iterator[bytes]:
    head = file.read(32)
    if len(head) < 32 or not head.startswith(FILE_MAGIC):
        raise CaptureError("this is no capture file")
    version = struct.unpack_from("<I", head, 8)[0]
    if version not in VERSIONS:
        raise CaptureError(f"the capture is of version {version}; this module reads {VERSIONS}")
    expected: Optional[int] = 0  # sequence of the next chunk; nothing behind damage
    while True:
        start = file.tell()
        header = file.read(CHUNK_HEADER.size)
        if header.startswith(CLOSING_MAGIC):
            return
        if len(header) < CHUNK_HEADER.size or not header.startswith(CHUNK_MAGIC):
            damage.append(f"no chunk begins at byte {start}; the file is not finished, or damaged there")
            return
        _, kind, packing, _, raw, stored, _, sequence, checksum, own = CHUNK_HEADER.unpack(header)
        if raw > MAX_CHUNK_BYTES or stored > MAX_CHUNK_BYTES + 4096:
            damage.append(f"the chunk at byte {start} has an impossible size")
            return
        body = file.read(stored)
        good = len(body) == stored
        if good:
            good = xxh64_intdigest(header[:40]) == own and xxh64_intdigest(body) == checksum
        if not good:
            damage.append(f"the chunk at byte {start} is damaged")
            expected = None
            continue
        if expected is not None and sequence != expected:
            damage.append(f"{sequence - expected} chunks are missing before byte {start}" if sequence > expected else
                          f"chunks are out of order from byte {start}")
        expected = sequence + 1
        if kind != FRAMES_CHUNK:
            continue
        try:
            contents = _unpacked(body, packing, raw)
        except (ValueError, zstandard.ZstdError) as error:
            damage.append(f"the chunk at byte {start} cannot be unpacked: {error}")
            continue
        yield contents


def _unpacked(body: bytes, packing: int, raw: int) -> bytes:
    if packing > 1:
        raise ValueError("it is packed in a way that is not known here; use a newer module")
    contents = zstandard.ZstdDecompressor().decompress(body, max_output_size=raw) if packing == 1 else body
    if len(contents) != raw:
        raise ValueError("its sizes disagree")
    return contents


def frames(path: str, damage: Optional[List[str]] = None) -> Iterator[capture_pb2.Frame]:
    """Every frame of a file, in its order. Sentences about damage are appended to `damage`."""
    damage = [] if damage is None else damage
    with open(path, "rb") as file:
        for chunk in _chunks(file, damage):
            at = 0
            while at < len(chunk):
                size = struct.unpack_from("<I", chunk, at)[0] if at + 4 <= len(chunk) else 0
                if size == 0 or at + 4 + size > len(chunk):
                    damage.append("a chunk is not made of frames to its end")
                    break
                frame = capture_pb2.Frame()
                try:
                    frame.ParseFromString(chunk[at + 4:at + 4 + size])
                    yield frame
                except Exception as error:  # protobuf's DecodeError, which has moved between versions
                    damage.append(f"a frame cannot be read: {error}")
                at += 4 + size
