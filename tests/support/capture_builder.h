// Captures made by hand, for tests: events are added in any order, and come out as the frames an agent would have sent.
//
//   CaptureBuilder capture;
//   const auto rx = capture.channel("net.rx");
//   capture.tick(rx, 1000);
//   capture.fill(session);          or   capture.write(path);   or   capture.frames()
//
// 1 tick is 1 ns unless `hz` says otherwise; the capture starts at `start_tick`. One source (id 1) and one thread (id 1) are
// there from the start.
#pragma once

#include "proto/wire/event.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sla::store {
class Session;
}

namespace sla::support {

enum class BuilderSource { kProgram = 1, kPc = 2, kHost = 3, kAgent = 4 };

class CaptureBuilder {
public:
    explicit CaptureBuilder(std::uint64_t start_tick = 1000, double hz = 1e9, std::uint32_t stamp_ticks = 0);

    std::uint32_t source(std::string_view name, BuilderSource kind = BuilderSource::kProgram, std::uint32_t pid = 4242);
    std::uint32_t thread(std::string_view name, std::uint32_t tid, std::uint32_t source = 1);
    std::uint32_t channel(std::string_view name, std::uint32_t source = 1, std::string_view format = "");

    void event(std::uint32_t channel, std::uint64_t tick, std::uint8_t code, std::uint64_t value = 0,
               std::uint32_t thread = 1);
    void tick(std::uint32_t channel, std::uint64_t tick) { event(channel, tick, SLA_CODE_TICK); }
    void tick(std::uint32_t channel, std::uint64_t tick, std::int64_t value, std::uint32_t thread = 1);
    void begin(std::uint32_t channel, std::uint64_t tick, std::uint32_t thread = 1);
    void end(std::uint32_t channel, std::uint64_t tick, std::uint32_t thread = 1);
    void span(std::uint32_t channel, std::uint64_t from, std::uint64_t until, std::uint32_t thread = 1);
    void level(std::uint32_t channel, std::uint64_t tick, bool high);
    void value(std::uint32_t channel, std::uint64_t tick, std::int64_t value);
    void number(std::uint32_t channel, std::uint64_t tick, double number);
    void text(std::uint32_t channel, std::uint64_t tick, std::string_view text);
    void detail(std::uint32_t channel, std::uint64_t tick, std::uint8_t code, std::uint64_t value, std::uint64_t detail0,
                std::uint64_t detail1);
    // An address with the place it is, as samples of this machine have it.
    void place(std::uint32_t channel, std::uint64_t tick, std::uint64_t address, std::string_view name);
    void gap(std::uint32_t channel, std::uint64_t tick, std::uint64_t lost,
             wire::LossCause cause = wire::LossCause::kOverrun, std::uint64_t until_tick = 0, std::uint32_t thread = 1);

    // A live stream is not over: no End, and the watermark stands at `tick`.
    void leave_open(std::uint64_t tick);

    // Serialized wire::Frame messages in the stream's order, in `slices` slices of time, a watermark after each.
    [[nodiscard]] std::vector<std::string> frames(std::size_t slices = 8) const;
    // The same with the stream's length headers, as on a socket.
    [[nodiscard]] std::string stream() const;
    void fill(store::Session& session) const;
    // A capture file; stops the test program when it cannot be written.
    void write(const std::string& path) const;

private:
    struct Row {
        std::uint64_t tick = 0;
        std::uint8_t code = 0;
        std::uint64_t value = 0;
        std::uint32_t thread = 0;
        wire::RowExtra extra;
        bool has_extra = false;
    };
    Row& add(std::uint32_t channel, std::uint64_t tick, std::uint8_t code, std::uint64_t value, std::uint32_t thread);
    void append_batches(std::uint32_t channel, const std::vector<Row>& rows, std::size_t& at, std::uint64_t until,
                        std::vector<std::string>& out) const;

    std::uint64_t start_tick_;
    std::vector<std::string> preamble_;
    std::map<std::uint32_t, std::vector<Row>> rows_;  // by channel
    std::uint32_t sources_ = 0;
    std::uint32_t threads_ = 0;
    std::uint32_t channels_ = 0;
    std::uint64_t open_watermark_ = 0;
};

// `channels` channels of mixed kinds (ticks, nested spans of two threads, levels, numbers, texts, port I/O with details),
// named in groups, `events_each` events on each, about one a microsecond, with a loss on every seventh. Same seed, same
// capture.
void add_mixed(CaptureBuilder& capture, std::size_t channels, std::size_t events_each, std::uint64_t seed = 1);

}  // namespace sla::support
