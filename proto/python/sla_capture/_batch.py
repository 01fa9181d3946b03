"""The columns of batches, as proto/wire/capture.proto and proto/wire/columns/packed_column.h have them."""

import array
import struct
from typing import Dict, List, Tuple

from . import capture_pb2
from ._numbers import MASK, Packed, code_runs, packed_codes, runs, spread, unzigzag, varints

SIGNED = {2, 4, 6, 8}
UNSIGNED = {7, 9, 15}
FLOAT = {10}
HAVE_VALUE = SIGNED | UNSIGNED | FLOAT
CODES = HAVE_VALUE | {1, 3, 5, 11}
MOST_EVENTS = 65536  # of a batch, as proto/wire/batch_codec.h has it: few bytes may say very many
LOSS_CAUSES = ("", "overrun", "late", "torn", "lagged", "no ring", "damaged", "left out", "no agent", "not kept")


def append(channel, batch: capture_pb2.Batch) -> None:
    """To the columns of a Channel, all of it; or ValueError and its like: it cannot be read, and the columns are as before."""
    if batch.count > MOST_EVENTS:
        raise ValueError(f"it has {batch.count} events, {MOST_EVENTS} are allowed")
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


def _present(data: bytes, codes: List[int]) -> Tuple[List[int], Packed]:
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
    return rows, Packed(rest)


def _varint_columns(batch: capture_pb2.Batch) -> Tuple[List[int], List[int], List[int], List[int]]:
    tick = batch.first_tick
    ticks = []
    for difference in varints(batch.ticks):
        tick += difference
        ticks.append(tick)
    codes = spread(code_runs(batch.codes), batch.count)
    threads = spread(runs(batch.threads), batch.count)
    return ticks, codes, threads, _values(batch.values, codes)


def _packed_columns(batch: capture_pb2.Batch) -> Tuple[List[int], List[int], List[int], List[int]]:
    count = batch.count
    ticks = [batch.first_tick] + Packed(batch.packed_ticks).blocks(count - 1, batch.first_tick)
    codes = packed_codes(batch.packed_codes, count)
    form, rest = batch.packed_threads[0], batch.packed_threads[1:]
    threads = spread(runs(rest), count) if form == 0 else Packed(rest).numbers(count, False)
    valued = sum(code in HAVE_VALUE for code in codes)
    numbers = iter(Packed(batch.packed_values).numbers(valued, True))
    return ticks, codes, threads, [next(numbers) if code in HAVE_VALUE else 0 for code in codes]


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
            previous = (previous + unzigzag(number)) & MASK
            out.append(previous)
        else:
            out.append(0)
    return out
