"""Reads capture files of the soft logic analyzer.

    import sla_capture

    capture = sla_capture.load("run.sla")
    for name, channel in capture.channels.items():
        print(name, len(channel.ticks))
    for event in capture.events():                     # all channels, in order of time
        print(event.time_ns, event.channel, event.kind, event.value, event.text)
    for event in capture.events("irq.*"):              # a pattern, or several
        ...
    for event in capture.events("net.rx", sources="* on host-a"):
        ...

A name means the channels of all sources that have it; `source` tells their events apart, as in `sla table`: "net on host-a"
in a capture of several hosts (a fleet's), "net/4242" where two processes of one host are called net. In `channels` each
has a key of its own: "net.rx", and of the others "net.rx (NUMBER)", which as a pattern means that one alone.

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
`time_ns` a float for plotting. What is damaged is skipped and told in `capture.damage`; where the file still says
what was there, each channel has a row of kind gap with the number of its events. Nothing is guessed.

Needs Debian's python3-protobuf and python3-zstandard. With python3-xxhash installed files are read a tenth faster.
The format is described in proto/capture/README.md, the frames in proto/wire/capture.proto.
"""

import fnmatch
import heapq
import os
import struct
import sys
from fractions import Fraction
from typing import Dict, Iterator, List, Optional, Union

try:
    from . import capture_pb2
    from ._batch import LOSS_CAUSES, MASK, append
    from ._by_sla import exported, is_for_sla
    from ._channel import KINDS, Channel, Event, needed
    from ._file import CaptureError, frames
    from ._sources import Source, source_texts
except ModuleNotFoundError as missing:
    raise ImportError(f"sla_capture needs python3-protobuf and python3-zstandard: {sys.executable} has no module "
                      f"{missing.name}") from missing

Patterns = Union[str, List[str], None]


class Capture:
    """All of one file. `channels` by name: of two sources with one name the later has ` (NUMBER)` behind it. `host` is where the
    agent ran; of a capture made of several hosts' the first, and `hosts` are the others, by number."""

    def __init__(self) -> None:
        self.start_tick = 0
        self.agent = ""
        self.host = ""
        self.hosts: Dict[int, str] = {}
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
        hosts = ", ".join(repr(host) for host in [self.host, *self.hosts.values()])
        return f"<capture of {hosts}: {rows} rows on {channels} channel{'' if channels == 1 else 's'}>"

    def time_ps(self, tick: int) -> int:
        """Picoseconds from the capture's start, as `sla table` counts them; but where the counter jumped against the kernel's
        clock, which `sla table` keeps out of the rate."""
        distance = abs(tick - self.start_tick)
        whole, fraction = self._ps_per_tick >> 64, self._ps_per_tick & ((1 << 64) - 1)
        ps = distance * whole + ((distance * fraction + (1 << 63)) >> 64)
        return ps if tick >= self.start_tick else -ps

    def matching(self, patterns: Patterns = None, sources: Patterns = None) -> List[Channel]:
        """The channels whose own names or keys match, of the sources that do (all of them: None)."""
        def fits(wanted: Patterns, *names: str) -> bool:
            wanted = [wanted] if isinstance(wanted, str) else wanted
            return wanted is None or any(name == one or fnmatch.fnmatchcase(name, one) for one in wanted for name in names)
        return [channel for key, channel in self.channels.items()
                if fits(patterns, channel.own_name, key) and fits(sources, channel.source)]

    def events(self, patterns: Patterns = None, sources: Patterns = None) -> Iterator[Event]:
        """Events of the channels that match, of the sources that do (all of them: None), in order of time."""
        chosen = sorted(self.matching(patterns, sources), key=lambda channel: channel.number)
        rows = heapq.merge(*(zip(channel.ticks, _repeat(channel.number), range(len(channel.ticks)), _repeat(channel))
                             for channel in chosen), key=lambda row: row[:3])
        for tick, _, index, channel in rows:
            yield Event(tick, self.time_ps(tick), channel.source, self.threads.get(channel.threads[index], ""), channel.name,
                        KINDS[channel.codes[index]], channel.value(index), channel.text(index))

    def times_ps(self, ticks):
        """time_ps of a numpy array of ticks (uint64), exactly, as int64: up to 106 days from the start."""
        numpy = needed("numpy")
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

    def columns(self, patterns: Patterns = None, sources: Patterns = None) -> Dict[str, list]:
        """Events as columns, in order of time: tick, time_ps, source, thread, channel, kind, value, text, and own_name, which
        the channels of several sources may share."""
        rows = list(self.events(patterns, sources))
        columns = {name: [row[i] for row in rows] for i, name in enumerate(Event._fields)}
        columns["own_name"] = [self.channels[key].own_name for key in columns["channel"]]
        return columns

    def pandas(self, patterns: Patterns = None, sources: Patterns = None):
        """Events as a pandas.DataFrame, in order of time, with those columns; value is float64, NaN where there is none."""
        pandas = needed("pandas")
        frame = pandas.DataFrame(self.columns(patterns, sources))
        for name, kind in (("tick", "uint64"), ("time_ps", "int64"), ("value", "float64"), ("source", "category"),
                           ("thread", "category"), ("channel", "category"), ("kind", "category"), ("own_name", "category")):
            frame[name] = frame[name].astype(kind)
        return frame

    def arrow(self, patterns: Patterns = None, sources: Patterns = None):
        """Events as a pyarrow.Table, in order of time, with those columns; value is double, null where there is none."""
        pyarrow = needed("pyarrow")
        columns = self.columns(patterns, sources)
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
    sources: Dict[int, Source] = {}
    source_of: Dict[int, int] = {}  # channel's
    numbers: Dict[int, Channel] = {}
    nameless: Dict[int, int] = {}  # rows
    for frame in frames(path, capture.damage):
        body = frame.WhichOneof("body")
        if body == "hello":
            capture.start_tick, capture.agent, capture.host = frame.hello.start_tick, frame.hello.agent, frame.hello.host
        elif body == "source":
            sources[frame.source.id] = Source(frame.source.name, frame.source.pid, frame.source.host)
        elif body == "host":
            capture.hosts[frame.host.id] = frame.host.name
        elif body == "channel":
            one = frame.channel
            channel = numbers.setdefault(one.id, Channel(one.id, one.name, "", one.format))
            channel.own_name, channel.formatter = one.name, one.format  # the last one said
            source_of[one.id] = one.source
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
    texts = source_texts(sources, capture.hosts, capture.host)
    for number, channel in numbers.items():
        channel.source = texts.get(source_of[number], "")
        channel.name = channel.own_name
        while channel.name in capture.channels:
            channel.name += f" ({number})"
        capture.channels[channel.name] = channel
    capture._fit()
    return capture
