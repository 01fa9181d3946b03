"""A lane's columns, and its events one by one."""

import array
import struct
from typing import Dict, NamedTuple, Optional, Tuple, Union

from ._batch import FLOAT, LOSS_CAUSES, SIGNED, UNSIGNED
from ._file import CaptureError

KINDS = {1: "tick", 2: "tick", 3: "begin", 4: "begin", 5: "end", 6: "end", 7: "level",
         8: "value", 9: "value", 10: "value", 11: "text", 15: "gap"}


def needed(module: str):
    try:
        return __import__(module)
    except ImportError:
        package = module if module == "pyarrow" else f"python3-{module}"
        raise CaptureError(f"this needs the Python module {module}, which is not installed: install {package}; "
                           "without it there are Channel.ticks and its sisters, and Capture.columns()") from None


class Event(NamedTuple):
    tick: int
    time_ps: int
    source: str                         # "net", of a capture of several hosts "net on host-a"; with the process's number where
                                        # another of its host has that name: what `sla table` writes
    thread: str
    channel: str                        # its key in Capture.channels
    kind: str
    value: Optional[Union[int, float]]  # of a gap: how many events were lost
    text: str                           # own texts only; of a gap its cause

    @property
    def time_ns(self) -> float:
        return self.time_ps / 1000


class Channel:
    """One lane: columns of equal length, in order of tick. `name` is its key in Capture.channels, `own_name` what its source
    calls it; `source` is that of its events."""

    def __init__(self, number: int, name: str, source: str, formatter: str):
        self.number, self.name, self.source, self.formatter = number, name, source, formatter
        self.own_name = name
        self.ticks = array.array("Q")
        self.codes = array.array("B")
        self.threads = array.array("L")
        self.values = array.array("Q")   # bits; see value()
        self.extras: Dict[int, object] = {}      # by index, of gaps
        self.texts: Dict[int, str] = {}
        self.details: Dict[int, Tuple[int, int]] = {}  # by index, of rows that have any: what `formatter` makes words of

    def __repr__(self) -> str:
        return f"<channel {self.name!r} of {self.source!r}: {len(self.ticks)} rows>"

    def value(self, index: int) -> Optional[Union[int, float]]:
        code, bits = self.codes[index], self.values[index]
        if code in SIGNED:
            return bits - (1 << 64) if bits >> 63 else bits
        if code in UNSIGNED:
            return bits
        if code in FLOAT:
            return struct.unpack("<d", struct.pack("<Q", bits))[0]
        return None

    def numpy(self) -> dict:
        """The columns as numpy arrays: tick, code and thread as they are; value as float64, as near as a double comes to it,
        NaN where an event has none; bits, all 64 of the value. All but value share this channel's memory: they stand as long
        as nothing is appended."""
        numpy = needed("numpy")
        code = numpy.frombuffer(self.codes, numpy.uint8)
        bits = numpy.frombuffer(self.values, numpy.uint64)
        value = numpy.full(len(bits), numpy.nan)
        for codes, kind in ((SIGNED, numpy.int64), (UNSIGNED, numpy.uint64), (FLOAT, numpy.float64)):
            chosen = numpy.isin(code, list(codes))
            value[chosen] = bits[chosen].view(kind)
        thread = numpy.frombuffer(self.threads, numpy.dtype(f"u{self.threads.itemsize}"))
        return {"tick": numpy.frombuffer(self.ticks, numpy.uint64), "code": code, "thread": thread, "value": value, "bits": bits}

    def text(self, index: int) -> str:
        if self.codes[index] != 15:
            return self.texts.get(index, "")
        extra = self.extras.get(index)
        return "" if extra is None else LOSS_CAUSES[extra.cause]
