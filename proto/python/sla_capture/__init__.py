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

Needs Debian's python3-protobuf and python3-zstandard. With python3-xxhash installed checksums are verified too.
The format is described in proto/capture/README.md, the frames in proto/wire/capture.proto.
"""

import array
import fnmatch
import heapq
import os
import shutil
import struct
import subprocess
import tempfile
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import zstandard

from . import capture_pb2

try:
    import xxhash
except ImportError:  # then damage shows only where bytes make no sense
    xxhash = None

def _needed(module: str):
    try:
        return __import__(module)
    except ImportError:
        package = module if module == "pyarrow" else f"python3-{module}"
        raise CaptureError(f"this needs the Python module {module}, which is not installed: install {package}; "
                           "without it there are Channel.ticks and its sisters, and Capture.columns()") from None


FILE_MAGIC = b"\x89SLA\r\n\x1a\n"
CHUNK_MAGIC = b"\x93SLAchk\n"
CLOSING_MAGIC = b"\x93SLAend\n"
VERSIONS = (1, 2, 3)
MAX_CHUNK_BYTES = 16 << 20
FRAMES_CHUNK = 1
CHUNK_HEADER = struct.Struct("<8sBBHIIIQQQ")

KINDS = {1: "tick", 2: "tick", 3: "begin", 4: "begin", 5: "end", 6: "end", 7: "level",
         8: "value", 9: "value", 10: "value", 11: "text", 15: "gap"}
SIGNED = {2, 4, 6, 8}
UNSIGNED = {7, 9, 15}
FLOAT = {10}
HAVE_VALUE = SIGNED | UNSIGNED | FLOAT
_MASK = 0xFFFFFFFFFFFFFFFF
LOSS_CAUSES = ("", "overrun", "late", "torn", "lagged", "no ring", "damaged", "left out", "no agent", "not kept")


class CaptureError(Exception):
    """The file is no capture, or of a version this module does not know."""


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
        self.extras: Dict[int, object] = {}

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
        extra = self.extras.get(index)
        if extra is None:
            return ""
        return LOSS_CAUSES[extra.cause] if self.codes[index] == 15 else extra.text


def _chunks(file, damage: List[str]) -> Iterator[bytes]:
    head = file.read(32)
    if len(head) < 32 or not head.startswith(FILE_MAGIC):
        raise CaptureError("this is no capture file")
    version = struct.unpack_from("<I", head, 8)[0]
    if version not in VERSIONS:
        raise CaptureError(f"the capture is of version {version}; this module reads {VERSIONS}")
    while True:
        start = file.tell()
        header = file.read(CHUNK_HEADER.size)
        if header.startswith(CLOSING_MAGIC):
            return
        if len(header) < CHUNK_HEADER.size or not header.startswith(CHUNK_MAGIC):
            damage.append(f"no chunk begins at byte {start}; the file is not finished, or damaged there")
            return
        _, kind, packing, _, raw, stored, _, _, checksum, own = CHUNK_HEADER.unpack(header)
        if raw > MAX_CHUNK_BYTES or stored > MAX_CHUNK_BYTES + 4096:
            damage.append(f"the chunk at byte {start} has an impossible size")
            return
        body = file.read(stored)
        good = len(body) == stored
        if good and xxhash is not None:
            good = (xxhash.xxh64_intdigest(header[:40]) == own and xxhash.xxh64_intdigest(body) == checksum)
        if not good:
            damage.append(f"the chunk at byte {start} is damaged")
            continue
        if kind != FRAMES_CHUNK:
            continue
        try:
            yield zstandard.ZstdDecompressor().decompress(body, max_output_size=raw) if packing == 1 else body
        except zstandard.ZstdError as error:
            damage.append(f"the chunk at byte {start} cannot be unpacked: {error}")


def frames(path: str, damage: Optional[List[str]] = None) -> Iterator[capture_pb2.Frame]:
    """Every frame of a file, in its order. Sentences about damage are appended to `damage`."""
    damage = [] if damage is None else damage
    with open(path, "rb") as file:
        for chunk in _chunks(file, damage):
            at = 0
            while at + 4 <= len(chunk):
                size = struct.unpack_from("<I", chunk, at)[0]
                if at + 4 + size > len(chunk):
                    damage.append("a frame goes beyond its chunk")
                    break
                frame = capture_pb2.Frame()
                try:
                    frame.ParseFromString(chunk[at + 4:at + 4 + size])
                    yield frame
                except Exception as error:  # protobuf's DecodeError, which has moved between versions
                    damage.append(f"a frame cannot be read: {error}")
                at += 4 + size


def _varints(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            yield number & _MASK
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


def _append(channel: Channel, batch: capture_pb2.Batch) -> None:
    if batch.encoding == capture_pb2.Batch.ENCODING_PACKED:
        ticks, codes, threads, values = _packed_columns(batch)
    elif batch.encoding == capture_pb2.Batch.ENCODING_VARINTS:
        ticks, codes, threads, values = _varint_columns(batch)
    else:
        raise ValueError(f"its encoding {batch.encoding} is not known here; use a newer module")
    if not len(ticks) == len(codes) == len(threads) == len(values) == batch.count:
        raise ValueError("its columns are of different length")
    base = len(channel.ticks)
    channel.values.extend(values)
    channel.ticks.extend(ticks)
    channel.codes.extend(codes)
    channel.threads.extend(threads)
    for extra in batch.extras:
        channel.extras[base + extra.position] = extra


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
    """A column of blocks of integers, as proto/wire/packed_column.h draws them."""

    BLOCK = 128

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def numbers(self, count: int, signed: bool) -> List[int]:
        """With the first one before the blocks."""
        if count == 0:
            return []
        first = self._varint()
        first = _unzigzag(first) & _MASK if signed else first
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
            return [(before + base + offset) & _MASK for offset in offsets]
        out = []
        for offset in offsets:
            before = (before + base + offset) & _MASK
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
            previous = (previous + _unzigzag(number)) & _MASK
            out.append(previous)
        else:
            out.append(0)
    return out


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
        self._ps_per_tick = 1000 << 64  # in 1/2^64

    def time_ps(self, tick: int) -> int:
        """Picoseconds from the capture's start, as `sla table` counts them."""
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
        whole, fraction = u64(self._ps_per_tick >> 64), self._ps_per_tick & _MASK
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
        """The rate from the pair of readings whose own errors are smallest against their distance."""
        def error(first, last):
            if first.tick >= last.tick or first.monotonic_raw_ns >= last.monotonic_raw_ns:
                return float("inf")
            return ((first.error_ticks + last.error_ticks) / (last.tick - first.tick) +
                    1.0 / (last.monotonic_raw_ns - first.monotonic_raw_ns))
        if len(self.clocks) < 2:
            return
        newest = max(self.clocks, key=lambda clock: clock.tick)
        first = min(self.clocks, key=lambda clock: error(clock, newest))
        last = min(self.clocks, key=lambda clock: error(first, clock))
        if error(first, last) < float("inf"):
            ps = (last.monotonic_raw_ns - first.monotonic_raw_ns) * 1000
            self._ps_per_tick = (ps << 64) // (last.tick - first.tick)


def _repeat(thing) -> Iterator:
    while True:
        yield thing


def _thread_name(thread: capture_pb2.Thread) -> str:
    if thread.tid == 0:
        return thread.name
    return f"{thread.name}/{thread.tid}" if thread.name else str(thread.tid)


ADDRESSES = ("fleet:", "unix:", "tcp:", "ssh:", "tls:")


def _is_for_sla(source: str) -> bool:
    is_manifest = source.endswith(".json") and os.path.basename(os.path.dirname(os.path.abspath(source))) == "manifest"
    return source.startswith(ADDRESSES) or os.path.isdir(source) or is_manifest


def _load_by_sla(source: str) -> Capture:
    """What is no capture file becomes one, by the program `sla`."""
    program = os.environ.get("SLA") or shutil.which("sla")
    if not program:
        raise CaptureError(f"{source!r} is no capture file: to read archives, fleets and agents the program `sla` has to be on "
                           "PATH, and it is not (or name it by $SLA)")
    with tempfile.TemporaryDirectory(prefix="sla-") as folder:
        path = os.path.join(folder, "capture.sla")
        words = [program, "export", "--quiet", "--format", "sla", "-o", path, "--address", source]
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, errors="replace", check=False)
        except OSError as error:
            raise CaptureError(f"{program!r} cannot be started: {error}") from None
        said = done.stderr.strip()
        if done.returncode != 0 or not os.path.exists(path):
            raise CaptureError(f"{source!r} cannot be read: {said or f'sla ended with {done.returncode}'}")
        capture = load(path)
        capture.damage.extend(line for line in said.splitlines() if "damage:" in line)
        return capture


def load(path: Union[str, "os.PathLike[str]"]) -> Capture:
    """A whole capture file, or by the program `sla` an archive, a fleet or what an agent holds. CaptureError when it is none
    of these; damage inside is skipped and told."""
    path = os.fspath(path)
    if _is_for_sla(path):
        return _load_by_sla(path)
    capture = Capture()
    sources: Dict[int, str] = {}
    numbers: Dict[int, Channel] = {}
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
        elif body == "batch" and frame.batch.channel in numbers:
            try:
                _append(numbers[frame.batch.channel], frame.batch)
            except (ValueError, IndexError, struct.error, OverflowError) as error:
                capture.damage.append(f"a batch of channel {frame.batch.channel} cannot be read: {error}")
        elif body == "end":
            capture.ended = True
    capture._fit()
    return capture
