"""What stands for a chunk of a capture file that cannot be read: the summary behind it says what it held."""

import struct
from typing import List, Optional

from . import capture_pb2

GAP = 15
DAMAGED = 6


def frames_instead(contents: bytes, newest: Optional[int]) -> bytes:
    """Frames as in a chunk: those of the lost one that a reader must know (names, clocks), its losses, and of each of its
    channels a loss of the events that are gone. None where the summary is of the chunk that was read before it."""
    from . import summary_pb2  # of damaged files alone
    summary = summary_pb2.ChunkSummary()
    summary.ParseFromString(contents)
    if summary.sequence == newest:
        return b""
    texts = list(summary.lasting) + _losses(summary)
    return b"".join(struct.pack("<I", len(text)) + text for text in texts)


def _losses(summary) -> List[bytes]:
    lanes, gaps = summary.lanes, summary.gaps
    columns = (lanes.channel, lanes.first_tick, lanes.ticks, lanes.rows, lanes.gap_rows)
    columns_of_gaps = (gaps.channel, gaps.tick, gaps.until_tick, gaps.lost, gaps.thread, gaps.cause)
    for own in (columns, columns_of_gaps):
        if any(len(column) != len(own[0]) for column in own):
            raise ValueError("its columns are of different length")
    losses = []
    for channel, first, ticks, rows, gap_rows in zip(*columns):
        tick = lanes.base_tick + first
        if rows > gap_rows:
            losses.append(_loss(channel, tick, tick + ticks, rows - gap_rows, 0, DAMAGED))
    losses.extend(_loss(*one) for one in zip(*columns_of_gaps))
    return losses


def _loss(channel: int, tick: int, until_tick: int, lost: int, thread: int, cause: int) -> bytes:
    batch = capture_pb2.Batch(channel=channel, count=1, first_tick=tick, last_tick=tick, ticks=b"\0", codes=bytes((GAP, 1)),
                              threads=_varint(thread) + b"\1", values=_varint(2 * lost))
    batch.extras.add(position=0, cause=cause, until_tick=until_tick)
    return capture_pb2.Frame(batch=batch).SerializeToString()


def _varint(number: int) -> bytes:
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
