"""The columns of batches, as proto/wire/capture.proto and proto/wire/columns/packed_column.h have them."""

import array
import struct
from typing import Dict, Iterator, List, Tuple

from . import capture_pb2

SIGNED = {2, 4, 6, 8}
UNSIGNED = {7, 9, 15}
FLOAT = {10}
HAVE_VALUE = SIGNED | UNSIGNED | FLOAT
CODES = HAVE_VALUE | {1, 3, 5, 11}
LOSS_CAUSES = ("", "overrun", "late", "torn", "lagged", "no ring", "damaged", "left out", "no agent", "not kept")
MASK = 0xFFFFFFFFFFFFFFFF


def _varints(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            yield number & MASK
            number = shift = 0


def _runs(data: bytes) -> Iterator[Tuple[int, int]]:
    numbers = _varints(data)
    return zip(numbers, numbers)


def _code_runs(data: bytes) -> Iterator[Tuple[int, int]]:
    at = 0
    while at < len(data):
        code = data[at]
        at += 1
        run = shift = 0
        while at < len(data):
            run |= (data[at] & 0x7F) << shift
            shift += 7
            at += 1
            if not data[at - 1] & 0x80:
                break
        yield code, run


def append(channel, batch: capture_pb2.Batch) -> None:
    """To the columns of a Channel, all of it; or ValueError and its like: it cannot be read, and the columns are as before."""
    if batch.encoding in (capture_pb2.Batch.ENCODING_PACKED, capture_pb2.Batch.ENCODING_EXTRAS):
        ticks, codes, threads, values = _packed_columns(batch)
    elif batch.encoding == capture_pb2.Batch.ENCODING_VARINTS:
        ticks, codes, threads, values = _varint_columns(batch)
    else:
        raise ValueError(f"its encoding {batch.encoding} is not known here; use a newer module")
    if not len(ticks) == len(codes) == len(threads) == len(values) == batch.count:
        raise ValueError("its columns are of different length")
    if not CODES.issuperset(codes):
        raise ValueError("one of its codes is none")
    if ticks[-1] != batch.last_tick or any(tick > after for tick, after in zip(ticks, ticks[1:])):
        raise ValueError("its ticks go back, or do not end at the last one")
    _check_extras(batch)
    details, texts = _details(batch, codes), _texts(batch, codes)
    # What does not fit into a column is found before anything is appended to one.
    whole = [array.array(kind, column) for kind, column in zip("QBLQ", (ticks, codes, threads, values))]
    base = len(channel.ticks)
    for column, more in zip((channel.ticks, channel.codes, channel.threads, channel.values), whole):
        column.extend(more)
    for extra in batch.extras:
        channel.extras[base + extra.position] = extra
    for position, words in details.items():
        channel.details[base + position] = words
    for position, text in texts.items():
        channel.texts[base + position] = text


def _check_extras(batch: capture_pb2.Batch) -> None:
    before = -1
    for extra in batch.extras:
        if not before < extra.position < batch.count:
            raise ValueError("a text or a loss is of no event")
        if not 0 <= extra.cause < len(LOSS_CAUSES):
            raise ValueError("a cause of loss is not known here")
        before = extra.position


def _details(batch: capture_pb2.Batch, codes: List[int]) -> Dict[int, Tuple[int, int]]:
    """By position, of the rows that have any."""
    if batch.encoding != capture_pb2.Batch.ENCODING_EXTRAS:
        of_extras = ((extra.position, (extra.detail0, extra.detail1)) for extra in batch.extras)
        return {position: words for position, words in of_extras if any(words)}
    columns = [_detail_column(column, codes) for column in (batch.packed_detail0, batch.packed_detail1)]
    rows = sorted(set(columns[0]) | set(columns[1]))
    return {row: (columns[0].get(row, 0), columns[1].get(row, 0)) for row in rows}


def _texts(batch: capture_pb2.Batch, codes: List[int]) -> Dict[int, str]:
    if batch.encoding != capture_pb2.Batch.ENCODING_EXTRAS:
        return {extra.position: extra.text for extra in batch.extras if extra.text}
    if not batch.packed_texts:
        return {}
    rows, packed = _present(batch.packed_texts, codes)
    lengths, at, texts = packed.numbers(len(rows), False), packed.at, {}
    for row, length in zip(rows, lengths):
        texts[row] = packed.data[at:at + length].decode()
        at += length
    if at != len(packed.data):
        raise ValueError("its texts are of another length")
    return texts


def _detail_column(data: bytes, codes: List[int]) -> Dict[int, int]:
    if not data:
        return {}
    rows, packed = _present(data, codes)
    return dict(zip(rows, packed.numbers(len(rows), False)))


def _present(data: bytes, codes: List[int]) -> Tuple[List[int], "_Packed"]:
    """Which rows have it, as proto/wire/columns/presence.h draws it, and what stands behind."""
    form, rest, count = data[0], data[1:], len(codes)
    if form == 0:
        rows = list(range(count))
    elif form == 1:
        mask, rest = struct.unpack_from("<H", rest)[0], rest[2:]
        rows = [row for row, code in enumerate(codes) if mask >> code & 1]
    elif form == 2:
        bits, rest = rest[:(count + 7) // 8], rest[(count + 7) // 8:]
        rows = [row for row in range(count) if bits[row // 8] >> row % 8 & 1]
    else:
        raise ValueError(f"its details or texts are of form {form}, which is not known here; use a newer module")
    return rows, _Packed(rest)


def _varint_columns(batch: capture_pb2.Batch) -> Tuple[List[int], List[int], List[int], List[int]]:
    tick = batch.first_tick
    ticks = []
    for difference in _varints(batch.ticks):
        tick += difference
        ticks.append(tick)
    codes = _spread(_code_runs(batch.codes), batch.count)
    threads = _spread(_runs(batch.threads), batch.count)
    return ticks, codes, threads, _values(batch.values, codes)


def _spread(runs: Iterator[Tuple[int, int]], count: int) -> List[int]:
    return [one for one, run in runs for _ in range(min(run, count))]


def _packed_columns(batch: capture_pb2.Batch) -> Tuple[List[int], List[int], List[int], List[int]]:
    count = batch.count
    ticks = [batch.first_tick] + _Packed(batch.packed_ticks).blocks(count - 1, batch.first_tick)
    codes = _packed_codes(batch.packed_codes, count)
    form, rest = batch.packed_threads[0], batch.packed_threads[1:]
    threads = _spread(_runs(rest), count) if form == 0 else _Packed(rest).numbers(count, False)
    valued = sum(code in HAVE_VALUE for code in codes)
    numbers = iter(_Packed(batch.packed_values).numbers(valued, True))
    return ticks, codes, threads, [next(numbers) if code in HAVE_VALUE else 0 for code in codes]


def _packed_codes(data: bytes, count: int) -> List[int]:
    form, rest = data[0], data[1:]
    if form == 0:
        return _spread(_code_runs(rest), count)
    if form == 1:
        return [rest[i % 2] for i in range(count)]
    if form != 2:
        raise ValueError(f"its codes are of form {form}, which is not known here; use a newer module")
    return ([pair & 15 for pair in rest] + [pair >> 4 for pair in rest])[:count]


class _Packed:
    """A column of blocks of integers, as proto/wire/columns/packed_column.h draws them."""

    BLOCK = 128

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def numbers(self, count: int, signed: bool) -> List[int]:
        """With the first one before the blocks."""
        if count == 0:
            return []
        first = self._varint()
        first = _unzigzag(first) & MASK if signed else first
        return [first] + self.blocks(count - 1, first)

    def blocks(self, count: int, before: int) -> List[int]:
        out: List[int] = []
        while count > 0:
            out.extend(self._block(min(count, self.BLOCK), out[-1] if out else before))
            count -= self.BLOCK
        return out

    def _block(self, count: int, before: int) -> List[int]:
        shape = self._bytes(1)[0]
        base = _unzigzag(self._varint())
        offsets = self._offsets(count, shape & 0x3F, bool(shape & 0x80))
        if not shape & 0x40:
            return [(before + base + offset) & MASK for offset in offsets]
        out = []
        for offset in offsets:
            before = (before + base + offset) & MASK
            out.append(before)
        return out

    def _offsets(self, count: int, layout: int, exceptions: bool) -> List[int]:
        if layout > 32:
            raise ValueError(f"a block is of layout {layout}, which is not known here")
        planes, bits = ((layout - 1) // 4, 1 << (layout - 1) % 4) if layout else (0, 0)
        offsets = [0] * count
        for plane in range(planes):
            offsets = [offset | byte << 8 * plane for offset, byte in zip(offsets, self._bytes(count))]
        if bits:
            top = self._bytes((count * bits + 7) // 8)
            parts = [byte >> low & (1 << bits) - 1 for low in range(0, 8, bits) for byte in top]
            offsets = [offset | part << 8 * planes for offset, part in zip(offsets, parts)]
        if exceptions:
            for position in self._bytes(self._bytes(1)[0]):
                offsets[position] |= self._varint() << 8 * planes + bits
        return offsets

    def _bytes(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise ValueError("a block is cut off")
        self.at += count
        return self.data[self.at - count:self.at]

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._bytes(1)[0]
            number |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return number


def _unzigzag(number: int) -> int:
    return (number >> 1) ^ -(number & 1)


def _values(data: bytes, codes: List[int]) -> List[int]:
    out, at, previous = [], 0, 0
    for code in codes:
        if code in FLOAT:
            out.append(struct.unpack_from("<Q", data, at)[0])
            at += 8
        elif code in SIGNED or code in UNSIGNED:
            number = shift = 0
            while True:
                byte = data[at]
                at += 1
                number |= (byte & 0x7F) << shift
                shift += 7
                if not byte & 0x80:
                    break
            previous = (previous + _unzigzag(number)) & MASK
            out.append(previous)
        else:
            out.append(0)
    return out
