// Millions of markers, recorded by `sla record`, written by `sla table`, held against the program's own log of them.
#include "tests/integration/truth/truth_log.h"
#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace sla {
namespace {

using truth::Entry;

// $SLA_TRUTH_MARKERS=10000000 is the long form.
std::uint64_t markers() {
    const char* text = std::getenv("SLA_TRUTH_MARKERS");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 3'000'000;
}

// A pace that full-sized rings hold on a busy machine of two cores: 4 M/s, half a second of which fits the rings; a tenth of
// it when a sanitizer slows the agent down.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr unsigned kPauseMicroseconds = 10'000;
#else
constexpr unsigned kPauseMicroseconds = 1'000;
#endif

std::vector<Entry> read_log(const std::string& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    auto bytes = static_cast<std::size_t>(in.tellg());
    std::vector<Entry> log(bytes / sizeof(Entry));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(log.data()), static_cast<std::streamsize>(bytes));
    EXPECT_TRUE(in.good());
    return log;
}

// The columns that matter here, of one line of the table.
struct Row {
    std::uint64_t index = 0;
    std::uint64_t tick = 0;
    std::string_view channel;
    std::string_view kind;
    std::uint64_t value = 0;
};

std::uint64_t number(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

Row parse(std::string_view line) {
    std::array<std::string_view, 8> columns;
    for (std::string_view& column : columns) {
        std::size_t comma = line.find(',');
        column = line.substr(0, comma);
        line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
    }
    return {number(columns[0]), number(columns[1]), columns[5], columns[6], number(columns[7])};
}

// Takes every row of the table and checks it against the logs.
class Witness {
public:
    explicit Witness(const std::string& directory) {
        for (std::uint32_t t = 0; t < truth::kThreads; t++) {
            logs_.push_back(read_log(directory + "/thread." + std::to_string(t)));
            seen_.emplace_back(logs_.back().size(), false);
        }
    }

    void see(const Row& row) {
        if (row.index != rows_++) wrong_++;
        if (row.tick < last_tick_) backwards_++;
        last_tick_ = row.tick;
        if (row.kind == "gap") {
            lost_ += row.value;
            return;
        }
        std::uint64_t thread = row.value >> 32;
        std::uint64_t at = row.value & 0xffffffff;
        if (row.kind != "tick" || thread >= logs_.size() || at >= logs_[thread].size()) {
            wrong_++;
            return;
        }
        const Entry& entry = logs_[thread][at];
        if (row.tick < entry.before || row.tick > entry.after) outside_++;
        if (row.channel != "truth." + std::to_string(entry.channel)) wrong_++;
        if (seen_[thread][at]) twice_++;
        seen_[thread][at] = true;
        events_++;
    }

    std::uint64_t rows_ = 0, events_ = 0, lost_ = 0, wrong_ = 0, backwards_ = 0, outside_ = 0, twice_ = 0;

private:
    std::vector<std::vector<Entry>> logs_;
    std::vector<std::vector<bool>> seen_;
    std::uint64_t last_tick_ = 0;
};

class Truth : public testing::Test {
protected:
    void record(const std::map<std::string, std::string>& environment) {
        support::Process recording({SLA_BINARIES "/sla", "record", "-o", capture(), "--", SLA_TRUTH_PROGRAM,
                                    directory_.path(), std::to_string(markers()), std::to_string(kPauseMicroseconds)},
                                   environment);
        ASSERT_EQ(recording.wait(std::chrono::seconds(200)).code, 0) << recording.errors();
    }

    void hold_against_the_log(Witness& witness) {
        std::string command = std::string(SLA_BINARIES "/sla table ") + capture() + " --format csv";
        std::FILE* table = popen(command.c_str(), "r");
        ASSERT_NE(table, nullptr);
        char* line = nullptr;
        std::size_t capacity = 0;
        bool header = true;
        for (ssize_t length; (length = getline(&line, &capacity, table)) > 0; header = false) {
            std::string_view text(line, static_cast<std::size_t>(length - 1));
            if (!header) {
                witness.see(parse(text));
            } else {
                ASSERT_TRUE(
                    text.starts_with("index,tick,time_ns,source,thread,channel,kind,value,text,delta_any_ns,"
                                     "delta_channel_ns,error_ns"));
            }
        }
        std::free(line);
        EXPECT_EQ(pclose(table), 0);
    }

    [[nodiscard]] std::string capture() const { return directory_.file("truth.sla"); }
    support::TempDir directory_;
};

// Whatever is lost: each marker is there once, or counted.
void expect_exact(const Witness& witness) {
    EXPECT_EQ(witness.events_ + witness.lost_, markers());
    EXPECT_EQ(witness.wrong_, 0u);
    EXPECT_EQ(witness.backwards_, 0u);
    EXPECT_EQ(witness.outside_, 0u);
    EXPECT_EQ(witness.twice_, 0u);
}

// An agent that gets no processor for so long that rings run full loses some: on a machine with much else to do once more.
TEST_F(Truth, EveryMarkerIsInTheTableOnceInTimeOrderWithinItsBracket) {
    std::uint64_t lost = 1;
    for (int attempt = 0; attempt < 3 && lost > 0; ++attempt) {
        std::filesystem::remove(capture());
        record({});
        Witness witness(directory_.path());
        hold_against_the_log(witness);
        expect_exact(witness);
        lost = witness.lost_;
    }
    EXPECT_EQ(lost, 0u);
}

TEST_F(Truth, WithRingsFarTooSmallEventsAndGapsAddUpToTheLastOne) {
    record({{"SLA_RING_SLOTS", "32"}});
    Witness witness(directory_.path());
    hold_against_the_log(witness);
    EXPECT_GT(witness.lost_, 0u);
    expect_exact(witness);
}

}  // namespace
}  // namespace sla
