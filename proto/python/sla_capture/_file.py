"""The chunks and frames of a capture file. What the format is: proto/capture/README.md."""

import struct
from typing import Iterator, List, Optional

import zstandard

from . import capture_pb2
from ._damage import frames_instead

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
SUMMARY_CHUNK = 3
CHUNK_HEADER = struct.Struct("<8sBBHIIIQQQ")


class CaptureError(Exception):
    """The file is no capture, or of a version this module does not know."""


def _is_sound(header: bytes) -> bool:
    return (len(header) == CHUNK_HEADER.size and header.startswith(CHUNK_MAGIC) and
            xxh64_intdigest(header[:40]) == CHUNK_HEADER.unpack(header)[-1])


def _go_to_next(file, at: int) -> bool:
    """To the first sound header of a chunk at that byte or behind it."""
    step = 1 << 20
    while True:
        file.seek(at)
        block = file.read(step + CHUNK_HEADER.size)
        found = block.find(CHUNK_MAGIC)
        while 0 <= found < step:
            if _is_sound(block[found:found + CHUNK_HEADER.size]):
                file.seek(at + found)
                return True
            found = block.find(CHUNK_MAGIC, found + 1)
        if len(block) < step + CHUNK_HEADER.size:
            return False
        at += step


def _chunks(file, damage: List[str]) -> Iterator[bytes]:
    """What chunks of frames hold; of one that is gone what its summary says instead."""
    head = file.read(32)
    if len(head) < 32 or not head.startswith(FILE_MAGIC):
        raise CaptureError("this is no capture file")
    version = struct.unpack_from("<I", head, 8)[0]
    if version not in VERSIONS:
        raise CaptureError(f"the capture is of version {version}; this module reads {VERSIONS}")
    expected: Optional[int] = 0  # sequence of the next chunk; nothing behind damage
    newest: Optional[int] = None  # sequence of the chunk of frames that was read last
    is_lost = False  # one behind it
    while True:
        start = file.tell()
        header = file.read(CHUNK_HEADER.size)
        if header.startswith(CLOSING_MAGIC):
            return
        if not _is_sound(header):
            damage.append(f"no chunk begins at byte {start}; the file is not finished, or damaged there")
            if not _go_to_next(file, start + 1):
                return
            expected, is_lost = None, True
            continue
        _, kind, packing, _, raw, stored, _, sequence, checksum, _ = CHUNK_HEADER.unpack(header)
        if raw > MAX_CHUNK_BYTES or stored > MAX_CHUNK_BYTES + 4096:
            damage.append(f"the chunk at byte {start} has an impossible size")
            return
        body = file.read(stored)
        if len(body) != stored or xxh64_intdigest(body) != checksum:
            damage.append(f"the chunk at byte {start} is damaged")
            expected, is_lost = None, True
            if len(body) != stored and not _go_to_next(file, start + 1):
                return
            continue
        if expected is not None and sequence != expected:
            damage.append(f"{sequence - expected} chunks are missing before byte {start}" if sequence > expected else
                          f"chunks are out of order from byte {start}")
            is_lost = True
        expected = sequence + 1
        if kind != FRAMES_CHUNK and not (kind == SUMMARY_CHUNK and is_lost):
            continue
        is_lost = False
        try:
            contents = _unpacked(body, packing, raw)
            if kind == SUMMARY_CHUNK:
                contents = frames_instead(contents, newest)
        except Exception as error:  # ValueError, ZstdError, and protobuf's DecodeError, which has moved between versions
            damage.append(f"the chunk at byte {start} cannot be unpacked: {error}")
            is_lost = kind == FRAMES_CHUNK
            continue
        if kind == FRAMES_CHUNK:
            newest = sequence
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
