"""Numbers out of the bytes of a column: varints and their runs, and blocks as proto/wire/columns/packed_column.h has them."""

from typing import Iterator, List, Tuple

MASK = 0xFFFFFFFFFFFFFFFF


def varints(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            yield number & MASK
            number = shift = 0


def runs(data: bytes) -> Iterator[Tuple[int, int]]:
    numbers = varints(data)
    return zip(numbers, numbers)


def code_runs(data: bytes) -> Iterator[Tuple[int, int]]:
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


def unzigzag(number: int) -> int:
    return (number >> 1) ^ -(number & 1)


def spread(repeated: Iterator[Tuple[int, int]], count: int) -> List[int]:
    """One more than `count` at most: that is too many, whatever the others come to."""
    out: List[int] = []
    for one, times in repeated:
        out += [one] * min(times, count + 1 - len(out))
        if len(out) > count:
            break
    return out


def packed_codes(data: bytes, count: int) -> List[int]:
    form, rest = data[0], data[1:]
    if form == 0:
        return spread(code_runs(rest), count)
    if form == 1:
        return [rest[i % 2] for i in range(count)]
    if form != 2:
        raise ValueError(f"its codes are of form {form}, which is not known here; use a newer module")
    return ([pair & 15 for pair in rest] + [pair >> 4 for pair in rest])[:count]


class Packed:
    """A column of blocks of integers, as proto/wire/columns/packed_column.h draws them."""

    BLOCK = 128

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def numbers(self, count: int, signed: bool) -> List[int]:
        """With the first one before the blocks."""
        if count == 0:
            return []
        first = self._varint()
        first = unzigzag(first) & MASK if signed else first
        return [first] + self.blocks(count - 1, first)

    def blocks(self, count: int, before: int) -> List[int]:
        out: List[int] = []
        while count > 0:
            out.extend(self._block(min(count, self.BLOCK), out[-1] if out else before))
            count -= self.BLOCK
        return out

    def _block(self, count: int, before: int) -> List[int]:
        shape = self._bytes(1)[0]
        base = unzigzag(self._varint())
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
