// The log's way to stderr, which never waits: whoever reads our log may be stopped, and must not stop the agent with it.
//
//   a line ── stderr takes it ──► written; before it, how many were left out
//        └─── a full pipe, a terminal that was stopped ──► left out, and counted
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstdint>
#include <mutex>
#include <string_view>

namespace sla::service {

class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit StderrSink(bool with_colors) : with_colors_(with_colors) {}

protected:
    void sink_it_(const spdlog::details::log_msg& message) override;
    void flush_() override {}

private:
    bool put(const spdlog::details::log_msg& message);
    bool write(std::string_view line);

    bool with_colors_;
    bool is_cut_ = false;  // the last line's end is missing
    std::uint64_t left_out_ = 0;
};

}  // namespace sla::service
