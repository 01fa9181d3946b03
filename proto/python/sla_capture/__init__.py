"""Reads capture files of the soft logic analyzer.

    import sla_capture

    capture = sla_capture.load("run.sla")
    for name, channel in capture.channels.items():
        print(name, len(channel.ticks))
    for event in capture.events():                     # all channels, in order of time
        print(event.time_ns, event.channel, event.kind, event.value, event.text)
    for event in capture.events("irq.*"):              # a pattern, or several
        ...

`load` keeps everything in memory, as columns (array.array); `frames` goes through a file of any size, frame by frame.
`load` also takes what is no file: a folder of `sla archive` with one capture in it (or FOLDER/manifest/HOST.CAPTURE.json of
one with several), a fleet (fleet:nats://SERVER/FLEET/HOST) or an agent's address. Those are read by the program `sla`, which
has to be on PATH (or named by $SLA): CaptureError says so when it is not there, and passes on what it says.

Where they are installed, columns come as numpy arrays, pandas frames and Arrow tables:

    channel = capture.channels["net.rx"]
    channel.numpy()["tick"]                            # uint64; also code, thread, value (float64), bits
    capture.times_ps(channel.numpy()["tick"])          # exact, int64
    capture.pandas("irq.*")                            # a row an event, in order of time
    capture.arrow()
Times count from the capture's start: `time_ps` is an exact integer of picoseconds,
`time_ns` a float for plotting. What is damaged is skipped and told in `capture.damage`; nothing is guessed.

Needs Debian's python3-protobuf and python3-zstandard. With python3-xxhash installed files are read a tenth faster.
The format is described in proto/capture/README.md, the frames in proto/wire/capture.proto.
"""

import array
import fnmatch
import heapq
import os
import struct
import sys
from fractions import Fraction
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

try:
    from . import capture_pb2
    from ._batch import FLOAT, LOSS_CAUSES, MASK, SIGNED, UNSIGNED, append
    from ._by_sla import exported, is_for_sla
    from ._file import CaptureError, frames
except ModuleNotFoundError as missing:
    raise ImportError(f"sla_capture needs python3-protobuf and python3-zstandard: {sys.executable} has no module "
                      f"{missing.name}") from missing

KINDS = {1: "tick", 2: "tick", 3: "begin", 4: "begin", 5: "end", 6: "end", 7: "level",
         8: "value", 9: "value", 10: "value", 11: "text", 15: "gap"}


def _needed(module: str):
    try:
        return __import__(module)
    except ImportError:
        package = module if module == "pyarrow" else f"python3-{module}"
        raise CaptureError(f"this needs the Python module {module}, which is not installed: install {package}; "
                           "without it there are Channel.ticks and its sisters, and Capture.columns()") from None


class Event(NamedTuple):
    tick: int
    time_ps: int
    source: str
    thread: str
    channel: str
    kind: str
    value: Optional[Union[int, float]]  # of a gap: how many events were lost
    text: str                           # own texts only; of a gap its cause

    @property
    def time_ns(self) -> float:
        return self.time_ps / 1000


class Channel:
    """One lane: columns of equal length, in order of tick."""

    def __init__(self, number: int, name: str, source: str, formatter: str):
        self.number, self.name, self.source, self.formatter = number, name, source, formatter
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
        numpy = _needed("numpy")
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


class Capture:
    """All of one file. `channels` by name: of two sources with one name the later has ` (NUMBER)` behind it."""

    def __init__(self) -> None:
        self.start_tick = 0
        self.agent = ""
        self.host = ""
        self.channels: Dict[str, Channel] = {}
        self.threads: Dict[int, str] = {}
        self.clocks: List[capture_pb2.Clock] = []
        self.ended = False
        self.damage: List[str] = []
        self._nominal_hz = 0.0          # as the agent says it
        self._ps_per_tick = 1000 << 64  # in 1/2^64

    def __repr__(self) -> str:
        rows = sum(len(channel.ticks) for channel in self.channels.values())
        channels = len(self.channels)
        return f"<capture of {self.host!r}: {rows} rows on {channels} channel{'' if channels == 1 else 's'}>"

    def time_ps(self, tick: int) -> int:
        """Picoseconds from the capture's start, as `sla table` counts them; but where the counter jumped against the kernel's
        clock, which `sla table` keeps out of the rate."""
        distance = abs(tick - self.start_tick)
        whole, fraction = self._ps_per_tick >> 64, self._ps_per_tick & ((1 << 64) - 1)
        ps = distance * whole + ((distance * fraction + (1 << 63)) >> 64)
        return ps if tick >= self.start_tick else -ps

    def events(self, patterns: Union[str, List[str], None] = None) -> Iterator[Event]:
        """Events of the channels that match (all of them: None), in order of time."""
        wanted = [patterns] if isinstance(patterns, str) else patterns
        chosen = sorted((channel for name, channel in self.channels.items()
                         if wanted is None or any(fnmatch.fnmatchcase(name, one) for one in wanted)),
                        key=lambda channel: channel.number)
        rows = heapq.merge(*(zip(channel.ticks, _repeat(channel.number), range(len(channel.ticks)), _repeat(channel))
                             for channel in chosen), key=lambda row: row[:3])
        for tick, _, index, channel in rows:
            yield Event(tick, self.time_ps(tick), channel.source, self.threads.get(channel.threads[index], ""), channel.name,
                        KINDS[channel.codes[index]], channel.value(index), channel.text(index))

    def times_ps(self, ticks):
        """time_ps of a numpy array of ticks (uint64), exactly, as int64: up to 106 days from the start."""
        numpy = _needed("numpy")
        u64, low = numpy.uint64, numpy.uint64(0xFFFFFFFF)
        half = u64(32)
        ticks = numpy.asarray(ticks, u64)
        start = u64(self.start_tick)
        is_after = ticks >= start
        distance = numpy.where(is_after, ticks - start, start - ticks)
        whole, fraction = u64(self._ps_per_tick >> 64), self._ps_per_tick & MASK
        # The product of distance and fraction has 128 bits: by halves, its upper 64 rounded by the highest of the lower ones.
        high, rest = u64(fraction >> 32), u64(fraction & 0xFFFFFFFF)
        least, crossing, other = (distance & low) * rest, (distance >> half) * rest, (distance & low) * high
        middle = (least >> half) + (crossing & low) + (other & low)
        upper = (distance >> half) * high + (crossing >> half) + (other >> half) + (middle >> half)
        rounded = upper + ((middle & low) >> u64(31))
        ps = (distance * whole + rounded).view(numpy.int64)
        return numpy.where(is_after, ps, -ps)

    def columns(self, patterns: Union[str, List[str], None] = None) -> Dict[str, list]:
        """Events as columns, in order of time: tick, time_ps, source, thread, channel, kind, value, text."""
        rows = list(self.events(patterns))
        return {name: [row[i] for row in rows] for i, name in enumerate(Event._fields)}

    def pandas(self, patterns: Union[str, List[str], None] = None):
        """Events as a pandas.DataFrame, in order of time; value is float64, NaN where there is none."""
        pandas = _needed("pandas")
        frame = pandas.DataFrame(self.columns(patterns))
        for name, kind in (("tick", "uint64"), ("time_ps", "int64"), ("value", "float64"), ("source", "category"),
                           ("thread", "category"), ("channel", "category"), ("kind", "category")):
            frame[name] = frame[name].astype(kind)
        return frame

    def arrow(self, patterns: Union[str, List[str], None] = None):
        """Events as a pyarrow.Table, in order of time; value is double, null where there is none."""
        pyarrow = _needed("pyarrow")
        columns = self.columns(patterns)
        columns["value"] = [None if value is None else float(value) for value in columns["value"]]
        kinds = {"tick": pyarrow.uint64(), "time_ps": pyarrow.int64(), "value": pyarrow.float64()}
        return pyarrow.table({name: pyarrow.array(column, kinds.get(name, pyarrow.string()))
                              for name, column in columns.items()})

    def _fit(self) -> None:
        """The rate from the pair of readings whose own errors are smallest against their distance; without one, the agent's."""
        def error(first, last):
            if first.tick >= last.tick or first.monotonic_raw_ns >= last.monotonic_raw_ns:
                return float("inf")
            return ((first.error_ticks + last.error_ticks) / (last.tick - first.tick) +
                    1.0 / (last.monotonic_raw_ns - first.monotonic_raw_ns))
        if 1e3 <= self._nominal_hz <= 1e12:
            self._ps_per_tick = int(Fraction(10**12 << 64) / Fraction(self._nominal_hz))
        if len(self.clocks) < 2:
            return
        newest = max(self.clocks, key=lambda clock: clock.tick)
        first = min(self.clocks, key=lambda clock: error(clock, newest))
        last = min(self.clocks, key=lambda clock: error(first, clock))
        if error(first, last) < float("inf"):
            ps = (last.monotonic_raw_ns - first.monotonic_raw_ns) * 1000
            if 1 <= ps // (last.tick - first.tick) <= 10**9:
                self._ps_per_tick = (ps << 64) // (last.tick - first.tick)


def _repeat(thing) -> Iterator:
    while True:
        yield thing


def _thread_name(thread: capture_pb2.Thread) -> str:
    if thread.tid == 0:
        return thread.name
    return f"{thread.name}/{thread.tid}" if thread.name else str(thread.tid)


def load(path: Union[str, "os.PathLike[str]"]) -> Capture:
    """A whole capture file, or by the program `sla` an archive, a fleet or what an agent holds. CaptureError when it is none
    of these; damage inside is skipped and told."""
    path = os.fspath(path)
    if is_for_sla(path):
        with exported(path) as (file, damage):
            capture = load(file)
        capture.damage.extend(damage)
        return capture
    capture = Capture()
    sources: Dict[int, str] = {}
    numbers: Dict[int, Channel] = {}
    nameless: Dict[int, int] = {}  # rows
    for frame in frames(path, capture.damage):
        body = frame.WhichOneof("body")
        if body == "hello":
            capture.start_tick, capture.agent, capture.host = frame.hello.start_tick, frame.hello.agent, frame.hello.host
        elif body == "source":
            sources[frame.source.id] = frame.source.name
        elif body == "channel" and frame.channel.id not in numbers:
            one = frame.channel
            channel = Channel(one.id, one.name, sources.get(one.source, ""), one.format)
            if one.name in capture.channels:
                channel.name = f"{one.name} ({one.id})"
            numbers[one.id] = capture.channels[channel.name] = channel
        elif body == "thread":
            capture.threads[frame.thread.id] = _thread_name(frame.thread)
        elif body == "clock" and frame.clock.domain == 0:
            capture.clocks.append(frame.clock)
        elif body == "batch" and frame.batch.channel not in numbers:
            nameless[frame.batch.channel] = nameless.get(frame.batch.channel, 0) + frame.batch.count
        elif body == "batch":
            try:
                append(numbers[frame.batch.channel], frame.batch)
            except (ValueError, IndexError, struct.error, OverflowError) as error:
                capture.damage.append(f"a batch of channel {frame.batch.channel} cannot be read: {error}")
        elif body == "status":
            capture._nominal_hz = frame.status.ticks_per_second
        elif body == "end":
            capture.ended = True
    capture.damage.extend(f"{rows} rows of channel {number} are left out: it was never announced"
                          for number, rows in nameless.items())
    capture._fit()
    return capture
