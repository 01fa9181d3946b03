// The Python module on bytes that no writer makes. What it needs beside Python (protobuf, zstandard) is replaced by as much as it
// uses of it; with the real ones it is tested in tests/integration/exchange.
#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <string>

#include <unistd.h>

namespace sla {
namespace {

constexpr const char* kPython = "/usr/bin/python3";

// `program` stands behind the module's import; gives what it prints.
std::string said_by(const std::string& program) {
    const std::string replaced = R"(
import struct, sys, types
ns = types.SimpleNamespace
class Frame:
    def ParseFromString(self, text): self.text = text
messages = types.ModuleType('sla_capture.capture_pb2')
messages.Batch, messages.Clock, messages.Thread, messages.Frame = ns(ENCODING_VARINTS=0, ENCODING_PACKED=1, ENCODING_EXTRAS=2), object, object, Frame
sys.modules['sla_capture.capture_pb2'] = messages
sys.modules['zstandard'] = types.ModuleType('zstandard')
sys.modules['zstandard'].ZstdError = RuntimeError
sys.modules['xxhash'] = None
import sla_capture
from sla_capture import _batch, _file
)";
    support::Process python({kPython, "-c", replaced + program},
                            {{"PYTHONPATH", SLA_PYTHON_SOURCES}, {"PYTHONDONTWRITEBYTECODE", "1"}});
    const support::Exit exit = python.wait();
    EXPECT_EQ(exit.code, 0) << python.errors();
    return python.output();
}

class PythonModule : public ::testing::Test {
protected:
    void SetUp() override {
        if (access(kPython, X_OK) != 0) GTEST_SKIP() << kPython << " is not installed";
    }
};

TEST_F(PythonModule, TakesABatchWholeOrNotAtAllSoThatTheNextOneStandsWhereItShould) {
    EXPECT_EQ(said_by(R"(
def batch(**other):
    return ns(**{**dict(encoding=0, count=2, first_tick=5, last_tick=7, ticks=b'\0\2', codes=b'\2\2', threads=b'\1\2',
                        values=b'\2\2', extras=[]), **other})
channel = sla_capture.Channel(1, 'a', 's', '')
def refused(**other):
    try: _batch.append(channel, batch(**other))
    except (ValueError, IndexError, OverflowError): return True
    return False
_batch.append(channel, batch())
print(refused(first_tick=2**64 - 1, last_tick=2**64 + 1), refused(last_tick=8))
print(refused(codes=b'\x0c\2', values=b''), refused(count=0), refused(encoding=3))
print(refused(extras=[ns(position=2, cause=0)]), refused(extras=[ns(position=0, cause=10)]))
_batch.append(channel, batch(first_tick=20, last_tick=22, values=b'\x10\x10'))
print(list(channel.ticks), [channel.value(i) for i in range(4)], list(channel.threads), channel.extras)
)"),
              "True True\nTrue True True\nTrue True\n[5, 7, 20, 22] [1, 2, 8, 16] [1, 1, 1, 1] {}\n");
}

// Of few bytes, that say many: they are not even counted out.
TEST_F(PythonModule, RefusesABatchOfMoreEventsThanAnyWriterMakes) {
    EXPECT_EQ(said_by(R"(
def batch(count, run, runs=1):
    return ns(encoding=0, count=count, first_tick=5, last_tick=5, ticks=b'\0' * 65536, codes=(b'\1' + run) * runs,
              threads=b'\1' + run, values=b'', extras=[])
channel = sla_capture.Channel(1, 'a', 's', '')
whole = b'\x80\x80\4'
_batch.append(channel, batch(65536, whole))
for wrong in (batch(2**32 - 1, b'\xff\xff\xff\xff\x0f'), batch(65536, b'\x81\x80\4'), batch(65536, whole, 2**20)):
    try: _batch.append(channel, wrong)
    except ValueError as error: print(error)
print(len(channel.ticks))
)"),
              "it has 4294967295 events, 65536 are allowed\n"
              "its columns are of different length\nits columns are of different length\n65536\n");
}

// Begin and end by turns, of which begins have details, as proto/wire/columns/extra_columns.h draws them; and as files of before have them.
TEST_F(PythonModule, GivesDetailsAndTextsOfColumnsAndOfExtras) {
    EXPECT_EQ(said_by(R"(
def batch(**other):
    return ns(**{**dict(encoding=2, count=4, first_tick=5, last_tick=8, packed_ticks=b'\x40\2', packed_codes=b'\1\3\5',
                        packed_threads=b'\0\1\4', packed_values=b'', packed_detail0=b'', packed_detail1=b'', packed_texts=b'', extras=[]), **other})
def details(**other):
    channel = sla_capture.Channel(1, 'a', 's', '')
    try: _batch.append(channel, batch(**other))
    except (ValueError, IndexError, struct.error) as error: return 'refused'
    return (channel.details, [channel.text(row) for row in range(4)]) if 'packed_texts' in other or channel.texts else channel.details
print(details(packed_detail0=b'\1\x08\0\x09\0\0', packed_detail1=b'\2\x0c\x07\0\0'))
print(details(packed_detail1=b'\0\x80\1\0\2'), details())
print(details(packed_detail0=b'\3\0'), details(packed_detail0=b'\1\x08'), details(packed_detail0=b'\2'))
print(details(encoding=1, extras=[ns(position=1, cause=0, detail0=3, detail1=0, text='three'), ns(position=2, cause=0, detail0=0, detail1=0, text='')]))
print(details(packed_texts=b'\1\x20\0\3\0\1one\xc3\xa9'), details(packed_texts=b'\1\x20\0\3\0\1on'),
      details(packed_texts=b'\1\x20\0\3\0\1one\xc3\xc3'))
)"),
              "{0: (9, 0), 2: (9, 7), 3: (0, 7)}\n{0: (0, 128), 1: (0, 129), 2: (0, 129), 3: (0, 129)} {}\n"
              "refused refused refused\n({1: (3, 0)}, ['', 'three', '', ''])\n"
              "({}, ['', 'one', '', '\u00e9']) refused refused\n");
}

TEST_F(PythonModule, ShowsItselfAtAPromptAndSaysWhatIsNotInstalled) {
    EXPECT_EQ(said_by(R"(
capture = sla_capture.Capture()
capture.host = 'here'
capture.channels['a'] = sla_capture.Channel(1, 'a', 's', '')
print(capture, capture.channels['a'])
for name in [name for name in sys.modules if name.startswith('sla_capture')]: del sys.modules[name]
sys.modules['zstandard'], sys.modules['sla_capture.capture_pb2'] = None, messages
try: import sla_capture
except ImportError as error: print(str(error).replace(sys.executable, 'python'))
)"),
              "<capture of 'here': 0 rows on 1 channel> <channel 'a' of 's': 0 rows>\n"
              "sla_capture needs python3-protobuf and python3-zstandard: python has no module zstandard\n");
}

TEST_F(PythonModule, SaysWhatItLeavesOut) {
    EXPECT_EQ(said_by(R"(
sla_capture.frames = lambda path, damage: [ns(WhichOneof=lambda _: 'batch', batch=ns(channel=9, count=5))] * 2
print(sla_capture.load('x.sla').damage)
)"),
              "['10 rows of channel 9 are left out: it was never announced']\n");
}

// What a capture of several hosts looks like: the frames of load(), made by hand.
constexpr const char* kTwoHosts = R"(
sla_capture.append = lambda channel, batch: [channel.ticks.append(batch.tick), channel.codes.append(1), channel.threads.append(1),
                                             channel.values.append(0)]
def frame(kind, **fields): return ns(WhichOneof=lambda _: kind, **{kind: ns(**fields)})
def source(number, name, pid, host=0): return frame('source', id=number, name=name, pid=pid, host=host)
def channel(number, source, name): return frame('channel', id=number, source=source, name=name, format='')
def row(number, tick): return frame('batch', channel=number, tick=tick)
def load(*stream):
    hello = frame('hello', start_tick=0, agent='', host='host-b')
    sla_capture.frames = lambda path, damage: [hello, *stream]
    return sla_capture.load('x.sla')
host = frame('host', id=1, name='host-a')
two_hosts = [host, source(1, 'odd', 11), source(2, 'odd', 11, host=1), channel(2, 1, 'd.neg'), channel(3, 2, 'd.neg'),
             channel(4, 2, 'd.tick'), row(2, 10), row(3, 20), row(2, 30), row(4, 40)]
)";

std::string said_of_two_hosts(const char* program) {
    std::string text = kTwoHosts;
    text += program;
    return said_by(text);
}

TEST_F(PythonModule, SaysWhichHostRowsAreOf) {
    EXPECT_EQ(said_of_two_hosts(R"(
capture = load(*two_hosts)
print(capture, capture.host, capture.hosts)
print([(key, one.own_name, one.source) for key, one in capture.channels.items()])
print([(e.tick, e.source, e.channel) for e in capture.events()])
one_host = load(source(1, 'odd', 11), source(2, 'odd', 12), source(3, 'even', 13), source(1, 'odd', 11), channel(1, 1, 'a'), channel(2, 2, 'a'),
                channel(3, 3, 'b'), channel(4, 9, 'c'))
print(one_host, [one.source for one in one_host.channels.values()])
)"),
              "<capture of 'host-b', 'host-a': 4 rows on 3 channels> host-b {1: 'host-a'}\n"
              "[('d.neg', 'd.neg', 'odd on host-b'), ('d.neg (3)', 'd.neg', 'odd on host-a'), ('d.tick', 'd.tick', 'odd on "
              "host-a')]\n"
              "[(10, 'odd on host-b', 'd.neg'), (20, 'odd on host-a', 'd.neg (3)'), (30, 'odd on host-b', 'd.neg'), "
              "(40, 'odd on host-a', 'd.tick')]\n"
              "<capture of 'host-b': 0 rows on 4 channels> ['odd/11', 'odd/12', 'even', '']\n");
}

TEST_F(PythonModule, TakesANameForTheChannelsOfAllSourcesThatHaveIt) {
    EXPECT_EQ(said_of_two_hosts(R"(
capture = load(*two_hosts)
def ticks(*asked, **named): return [e.tick for e in capture.events(*asked, **named)]
print(ticks('d.neg'), ticks('d.n*'), ticks(['d.neg', 'd.tick']), ticks('d.neg (3)'), ticks('nothing'))
print(ticks('d.neg', sources='odd on host-a'), ticks(sources='* on host-b'), ticks('d.tick', ['odd', '*-b']))
columns = capture.columns('d.neg')
print(list(columns)[-1], columns['own_name'], columns['channel'], columns['source'])
odd = load(source(1, 'p', 1), channel(1, 1, 'a'), channel(2, 1, 'a (3)'), channel(3, 1, 'a'), channel(4, 1, '[x]'), row(1, 5), row(2, 6),
           row(3, 7), row(4, 8))
print(list(odd.channels), [e.tick for e in odd.events('a')], [e.tick for e in odd.events('[x]')])
)"),
              "[10, 20, 30] [10, 20, 30] [10, 20, 30, 40] [20] []\n[20] [10, 30] []\n"
              "own_name ['d.neg', 'd.neg', 'd.neg'] ['d.neg', 'd.neg (3)', 'd.neg'] ['odd on host-b', 'odd on host-a', 'odd "
              "on host-b']\n"
              "['a', 'a (3)', 'a (3) (3)', '[x]'] [5, 7] [8]\n");
}

TEST_F(PythonModule, CallsAChannelByTheLastNameThatIsSaidOfIt) {
    EXPECT_EQ(said_of_two_hosts(R"(
capture = load(source(1, 'p', 1), channel(1, 1, 'thread 7'), row(1, 5), channel(2, 1, 'thread 8'), channel(1, 1, 'worker'),
               channel(2, 1, 'worker'), row(1, 6))
print([(key, one.name, one.own_name, list(one.ticks)) for key, one in capture.channels.items()])
)"),
              "[('worker', 'worker', 'worker', [5, 6]), ('worker (2)', 'worker (2)', 'worker', [])]\n");
}

// By the digests of XXH64's own tests.
TEST_F(PythonModule, LooksAtChecksumsWithoutAnyOtherModule) {
    EXPECT_EQ(said_by(R"(
from sla_capture._xxh64 import xxh64_intdigest
print(*('%016x' % xxh64_intdigest(text) for text in (b'', b'a', b'abc', b'Call me Ishmael. Some years ago--never mind how long precisely-')))
)"),
              "ef46db3751d8e999 d24ec4f1a98c6e5b 44bc2cf5ad770999 02a2e85470d6fd96\n");
}

TEST_F(PythonModule, SaysWhenWholeChunksAreGoneAndWhenOneIsNotMadeOfFrames) {
    EXPECT_EQ(
        said_by(R"(
from sla_capture._xxh64 import xxh64_intdigest
def chunk(sequence, body, raw=None, packing=0):
    head = struct.pack('<8sBBHIIIQQ', b'\x93SLAchk\n', 1, packing, 0, len(body) if raw is None else raw, len(body), 1, sequence,
                       xxh64_intdigest(body))
    return head + struct.pack('<Q', xxh64_intdigest(head)) + body
def frame(text): return struct.pack('<I', len(text)) + text
def read(*chunks):
    damage = []
    head = b'\x89SLA\r\n\x1a\n' + struct.pack('<I', 3) + bytes(20)
    open('/proc/self/fd/' + str(file.fileno()), 'wb').write(head + b''.join(chunks) + b'\x93SLAend\n' + bytes(24))
    print([one.text.decode() for one in _file.frames('/proc/self/fd/' + str(file.fileno()), damage)], damage)
import tempfile
file = tempfile.TemporaryFile()
read(chunk(0, frame(b'a')), chunk(1, frame(b'b')))
read(chunk(0, frame(b'a')), chunk(3, frame(b'b')), chunk(4, frame(b'c')))
read(chunk(0, frame(b'a')), chunk(0, frame(b'b')))
read(chunk(0, frame(b'a')), chunk(1, frame(b'b'))[:-1] + b'c', chunk(2, frame(b'd')))
read(chunk(0, frame(b'a') + b'xyz'), chunk(1, bytes(4)), chunk(2, frame(b'b'), 4), chunk(3, b'b', None, 7))
)"),
        "['a', 'b'] []\n"
        "['a', 'b', 'c'] ['2 chunks are missing before byte 85']\n"
        "['a', 'b'] ['chunks are out of order from byte 85']\n"
        "['a', 'd'] ['the chunk at byte 85 is damaged']\n"
        "['a'] ['a chunk is not made of frames to its end', 'a chunk is not made of frames to its end', "
        "'the chunk at byte 140 cannot be unpacked: its sizes disagree', "
        "'the chunk at byte 193 cannot be unpacked: it is packed in a way that is not known here; use a newer module']\n");
}

TEST_F(PythonModule, CountsByTheAgentsRateWhereReadingsOfTheClockGiveNone) {
    EXPECT_EQ(said_by(R"(
capture = sla_capture.Capture()
capture._nominal_hz = 2.5e9
capture.clocks = [ns(tick=1000, monotonic_raw_ns=0, error_ticks=3)]
capture._fit()
print(capture.time_ps(5), capture.time_ps(2_500_000_000))
capture.clocks.append(ns(tick=2_000_001_000, monotonic_raw_ns=1_000_000_000, error_ticks=3))
capture._fit()
print(capture.time_ps(5), capture.time_ps(2_000_000_000))
)"),
              "2000 1000000000000\n2500 1000000000000\n");
}

}  // namespace
}  // namespace sla
