// What `sla export` writes is read by the tools it is meant for.
#include "tests/support/process.h"
#include "tests/support/sample_capture.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace sla {
namespace {

std::string find_program(const std::string& name) {
    std::string path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
    path = "/usr/bin:" + path;  // Debian's own python before others
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t end = std::min(path.find(':', start), path.size());
        const std::string candidate = path.substr(start, end - start) + "/" + name;
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
        start = end + 1;
    }
    return {};
}

#define NEEDS(program, package)        \
    if (find_program(program).empty()) \
    GTEST_SKIP() << program << " is not installed (Debian package " package "; tests/support/install.sh test)"

// Of our module.
#define NEEDS_PYTHON_MODULES()                                                                                   \
    if (support::Process({find_program("python3"), "-c", "import google.protobuf, zstandard"}).wait().code != 0) \
    GTEST_SKIP() << "python3-protobuf and python3-zstandard are not installed"

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
}

class RealTools : public ::testing::Test {
protected:
    RealTools() {
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        support::add_bench_scene(capture);
        capture.write(file("bench.sla"));
    }
    [[nodiscard]] std::string file(const std::string& name) const { return directory_.file(name); }
    static std::string content(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // Runs to the end; gives stdout, expects exit code 0.
    static std::string run(std::vector<std::string> argv, const std::map<std::string, std::string>& environment = {}) {
        argv[0] = argv[0].find('/') == std::string::npos ? find_program(argv[0]) : argv[0];
        support::Process process(argv, environment);
        const support::Exit exit = process.wait();
        EXPECT_EQ(exit.code, 0) << argv[0] << ": " << process.errors();
        return process.output();
    }
    void convert(const std::string& format, const std::string& name, std::vector<std::string> more = {}) const {
        std::vector<std::string> argv = {SLA_BINARIES "/sla", "export", file("bench.sla"), "--format", format, "-o",
                                         file(name)};
        argv.insert(argv.end(), more.begin(), more.end());
        run(argv);
    }
    [[nodiscard]] std::vector<std::string> rows() const {
        auto lines = lines_of(run({SLA_BINARIES "/sla", "table", file("bench.sla"), "--format", "csv"}));
        lines.erase(lines.begin());
        return lines;
    }
    std::string python(const std::string& script) const {
        std::ofstream(file("script.py")) << script;
        return run({"python3", file("script.py"), file("bench.sla")}, {{"PYTHONPATH", SLA_PYTHON_MODULE}});
    }

private:
    support::TempDir directory_;
};

TEST_F(RealTools, GtkwaveConvertsVcdToFstAndBackWithoutLoss) {
    NEEDS("vcd2fst", "gtkwave");
    convert("vcd", "x.vcd");
    run({"vcd2fst", file("x.vcd"), file("x.fst")});
    const std::string back = run({"fst2vcd", file("x.fst")});
    const auto times = [](const std::string& text) {
        std::vector<std::string> out;
        for (const std::string& line : lines_of(text)) {
            if (line.starts_with('#')) out.push_back(line);
        }
        return out;
    };
    EXPECT_EQ(times(back), times(content(file("x.vcd"))));
    EXPECT_EQ(count(back, "$var"), count(content(file("x.vcd")), "$var "));
    std::ofstream(file("back.vcd")) << back;
    run({SLA_BINARIES "/sla", "import", file("back.vcd"), "-o", file("back.sla")});
    // GTKWave knows no comments of ours: levels come back under their path, at the same times.
    const auto level =
        lines_of(run({SLA_BINARIES "/sla", "table", file("back.sla"), "--format", "csv", "--channel", "*.irq.0"}));
    const auto before =
        lines_of(run({SLA_BINARIES "/sla", "table", file("bench.sla"), "--format", "csv", "--channel", "irq.0"}));
    EXPECT_EQ(level.size(), before.size());
}

TEST_F(RealTools, SigrokReadsVcd) {
    NEEDS("sigrok-cli", "sigrok-cli");
    convert("vcd", "x.vcd", {"--channel", "irq.0", "--until", "3ms"});
    const std::string shown =
        run({"sigrok-cli", "-I", "vcd:downsample=1000000", "-i", file("x.vcd"), "-O", "bits:width=64"});
    EXPECT_NE(shown.find("libsigrok"), std::string::npos) << shown;
    EXPECT_NE(shown.find("0:"), std::string::npos) << shown;
}

TEST_F(RealTools, SigrokReadsItsOwnSessions) {
    NEEDS("sigrok-cli", "sigrok-cli");
    convert("sr", "x.sr", {"--rate", "1MHz"});
    const std::string shown = run({"sigrok-cli", "-i", file("x.sr"), "--show"});
    EXPECT_NE(shown.find("Samplerate: 1000000"), std::string::npos) << shown;
    EXPECT_NE(shown.find("irq.0: logic"), std::string::npos) << shown;
    const std::string bits = run({"sigrok-cli", "-i", file("x.sr"), "-C", "irq.0", "-O", "csv:header=false:label=off"});
    std::size_t rises = 0;
    char before = '0';
    for (const std::string& line : lines_of(bits)) {
        if (line != "0" && line != "1") continue;
        if (line[0] == '1' && before == '0') ++rises;
        before = line[0];
    }
    std::size_t expected = 0;
    for (const std::string& row : rows()) expected += row.find(",irq.0,level,1,") != std::string::npos ? 1 : 0;
    EXPECT_EQ(rises, expected);
}

TEST_F(RealTools, Babeltrace2ReadsEveryEventWithItsRawTickAndEveryLoss) {
    NEEDS("babeltrace2", "babeltrace2");
    convert("ctf", "ctf");
    support::Process process({find_program("babeltrace2"), "--clock-cycles", file("ctf")});
    ASSERT_EQ(process.wait().code, 0) << process.errors();
    std::multiset<std::string> ticks;
    for (const std::string& line : lines_of(process.output())) ticks.insert(line.substr(1, 20));
    std::multiset<std::string> expected;
    for (const std::string& row : rows()) {
        const std::size_t start = row.find(',') + 1;
        const std::string tick = row.substr(start, row.find(',', start) - start);
        expected.insert(std::string(20 - tick.size(), '0') + tick);
    }
    EXPECT_EQ(ticks, expected);
    EXPECT_NE(process.errors().find("discarded 412 events"), std::string::npos) << process.errors();
    EXPECT_NE(process.errors().find("discarded 3 events"), std::string::npos) << process.errors();
}

TEST_F(RealTools, ProtocReadsPerfettoTraces) {
    NEEDS("protoc", "protobuf-compiler");
    convert("perfetto", "x.pftrace");
    std::ofstream(file("decode.sh")) << "exec protoc --decode_raw <\"$1\"\n";
    const std::string text = run({"sh", file("decode.sh"), file("x.pftrace")});
    EXPECT_EQ(count(text, "\n  11 {"), rows().size());  // a TrackEvent each
    EXPECT_NE(text.find("6: \"emulated PC\""), std::string::npos);
    EXPECT_NE(text.find("2: \"pipe.compress\""), std::string::npos);
}

TEST_F(RealTools, PythonReadsChromeTracesAndSpansNest) {
    NEEDS("python3", "python3");
    convert("chrome", "x.json");
    const std::string said = python(
        "import json, os, sys\n"
        "d = json.load(open(os.path.join(os.path.dirname(sys.argv[1]), 'x.json')))\n"
        "events = [e for e in d['traceEvents'] if e['ph'] != 'M']\n"
        "open_ = {}\n"
        "for e in events:\n"
        "    key = (e['pid'], e['tid'])\n"
        "    if e['ph'] == 'B': open_.setdefault(key, []).append(e['name'])\n"
        "    if e['ph'] == 'E': assert open_[key].pop() == e['name']\n"
        "assert all(a['ts'] <= b['ts'] for a, b in zip(events, events[1:]))\n"
        "print(len(events))\n");
    EXPECT_EQ(said, std::to_string(rows().size()) + "\n");
}

TEST_F(RealTools, OurPythonModuleGivesTheSameEventsAsTheTable) {
    NEEDS("python3", "python3");
    NEEDS_PYTHON_MODULES();
    const std::string said = python(
        "import sys, sla_capture\n"
        "capture = sla_capture.load(sys.argv[1])\n"
        "assert capture.ended and not capture.damage, capture.damage\n"
        "for i, e in enumerate(capture.events()):\n"
        "    print(i, e.tick, f'{e.time_ps // 1000}.{e.time_ps % 1000:03}', e.source, e.thread, e.channel, e.kind, "
        "sep=',')\n");
    const auto reported = lines_of(said);
    const auto expected = rows();
    ASSERT_EQ(reported.size(), expected.size());
    for (std::size_t i = 0; i < reported.size(); ++i) ASSERT_EQ(reported[i], expected[i].substr(0, reported[i].size()));
    EXPECT_EQ(python("import sys, sla_capture\n"
                     "capture = sla_capture.load(sys.argv[1])\n"
                     "print(sum(e.value for e in capture.events('*') if e.kind == 'gap'))\n"
                     "print([e.text for e in capture.events(['log'])][0])\n"
                     "print(sorted(capture.channels)[0])\n"),
              "415\nblock 23 written\ncpu.hlt\n");
    std::string causes;
    for (int cause = 0; cause <= static_cast<int>(wire::kLastLossCause); ++cause)
        causes += std::string(wire::loss_cause_name(static_cast<wire::LossCause>(cause))) + "\n";
    EXPECT_EQ(python("import sla_capture\nfor cause in sla_capture.LOSS_CAUSES: print(cause)\n"), causes);
    // Cut off: what lies before the cut comes out, and the cut is reported.
    std::filesystem::resize_file(file("bench.sla"), std::filesystem::file_size(file("bench.sla")) - 40);
    EXPECT_EQ(python("import sys, sla_capture\n"
                     "print(len(sla_capture.load(sys.argv[1]).damage) > 0)\n"),
              "True\n");
}

// Of the one chunk of frames first the contents are damaged, then the header too: its summary says what is gone.
TEST_F(RealTools, OurPythonModuleSaysWhatADamagedChunkHeld) {
    NEEDS("python3", "python3");
    NEEDS_PYTHON_MODULES();
    EXPECT_EQ(
        python("import sys, sla_capture\n"
               "def sums(rows):\n"
               "    out = {}\n"
               "    for e in rows:\n"
               "        key = e.source, e.channel\n"
               "        out[key] = out.get(key, 0) + (e.value if e.kind == 'gap' else 1)\n"
               "    return out\n"
               "expected = sums(sla_capture.load(sys.argv[1]).events())\n"
               "for place in (100, 60):\n"
               "    with open(sys.argv[1], 'r+b') as file:\n"
               "        file.seek(place)\n"
               "        file.write(b'XXXXXXXX')\n"
               "    capture = sla_capture.load(sys.argv[1])\n"
               "    rows = list(capture.events())\n"
               "    assert sums(rows) == expected, (sums(rows), expected)\n"
               "    print({e.kind for e in rows}, sorted({e.text for e in rows}), len(capture.damage), capture.ended)\n"),
        "{'gap'} ['damaged', 'late', 'overrun'] 1 True\n{'gap'} ['damaged', 'late', 'overrun'] 1 True\n");
}

TEST_F(RealTools, OurPythonModuleReadsAnArchiveByTheProgramAndSaysWhatIsMissing) {
    NEEDS("python3", "python3");
    NEEDS_PYTHON_MODULES();
    const std::string sla = SLA_BINARIES "/sla";
    run({sla, "archive", file("bench.sla"), file("lake")});
    EXPECT_EQ(python("import os, sys, sla_capture\n"
                     "folder = os.path.join(os.path.dirname(sys.argv[1]), 'lake')\n"
                     "os.environ['SLA'] = '" +
                     sla +
                     "'\n"
                     "def rows(capture):\n"
                     "    return sorted((e.tick, e.time_ps, e.source, e.thread, e.channel, e.kind, e.value, e.text if "
                     "e.kind == 'gap' else '')\n"
                     "                  for e in capture.events())\n"
                     "print(rows(sla_capture.load(folder)) == rows(sla_capture.load(sys.argv[1])))\n"
                     "manifest = os.path.join(folder, 'manifest', os.listdir(os.path.join(folder, 'manifest'))[0])\n"
                     "print(rows(sla_capture.load(manifest)) == rows(sla_capture.load(sys.argv[1])))\n"
                     "def said(source):\n"
                     "    try: sla_capture.load(source)\n"
                     "    except sla_capture.CaptureError as error: return str(error)\n"
                     "print('cannot be read: sla: ' in said('unix:/nowhere'))\n"
                     "open(manifest, 'w').write('{')\n"
                     "print('is no manifest' in said(folder))\n"
                     "del os.environ['SLA']\n"
                     "os.environ['PATH'] = '/nowhere'\n"
                     "print('has to be on PATH' in said(folder), 'has to be on PATH' in said('fleet:nats://a/b'))\n"),
              "True\nTrue\nTrue\nTrue\nTrue True\n");
}

// What is not installed is said; what is, says the same as the plain columns.
TEST_F(RealTools, OurPythonModuleGivesArraysWhereNumpyIsAndASentenceWhereNot) {
    NEEDS("python3", "python3");
    NEEDS_PYTHON_MODULES();
    EXPECT_EQ(
        python("import sys, sla_capture\n"
               "capture = sla_capture.load(sys.argv[1])\n"
               "columns = capture.columns()\n"
               "assert columns['tick'] == [e.tick for e in capture.events()]\n"
               "def told(module, ask, check):\n"
               "    try: __import__(module)\n"
               "    except ImportError:\n"
               "        try: ask(); print('it gave something without', module)\n"
               "        except sla_capture.CaptureError as error: assert module in str(error), error\n"
               "        return\n"
               "    check(ask())\n"
               "def check_arrays(all_of):\n"
               "    for channel, arrays in all_of:\n"
               "        assert arrays['tick'].tolist() == list(channel.ticks)\n"
               "        assert arrays['thread'].tolist() == list(channel.threads)\n"
               "        assert capture.times_ps(arrays['tick']).tolist() == [capture.time_ps(t) for t in channel.ticks]\n"
               "        for i, value in enumerate(arrays['value'].tolist()):\n"
               "            own = channel.value(i)\n"
               "            assert value != value if own is None else value == own\n"
               "def check_edges(at):\n"
               "    ticks = [0, capture.start_tick - 1, capture.start_tick, capture.start_tick + 1, 2**50 + 12345]\n"
               "    assert capture.times_ps(ticks).tolist() == [capture.time_ps(t) for t in ticks]\n"
               "told('numpy', lambda: [(c, c.numpy()) for c in capture.channels.values()], check_arrays)\n"
               "told('numpy', lambda: capture.times_ps([1]), check_edges)\n"
               "def check_frame(frame):\n"
               "    assert frame['tick'].tolist() == columns['tick'] and frame['channel'].tolist() == columns['channel']\n"
               "told('pandas', lambda: capture.pandas(), check_frame)\n"
               "def check_table(table):\n"
               "    assert table.column('tick').to_pylist() == columns['tick']\n"
               "told('pyarrow', lambda: capture.arrow(), check_table)\n"
               "print('told')\n"),
        "told\n");
}

}  // namespace
}  // namespace sla
