// What a drain asks of, and tells to, whoever it drains for.
#pragma once

#include "agent/drain/channel.h"
#include "proto/ring/segment_view.h"

#include <cstdint>
#include <string>

namespace sla::drain {

// Names to channels and threads; also takes what a person should know.
class Resolver {
public:
    virtual ~Resolver() = default;
    // Asked once for each descriptor of a program.
    virtual DrainedChannel& channel(const ring::ChannelDescription& description) = 0;
    virtual ThreadId thread(std::uint32_t tid, const std::string& name) = 0;
    // One of its rings was given back.
    virtual void release_thread(ThreadId thread) = 0;
    virtual void notice(const std::string& text) = 0;
};

// What no honest program can have written into its segment, counted. It is the program's own harm; a program that goes on
// writing it costs the others no time.
class DamageCount {
public:
    explicit DamageCount(Resolver& resolver) : resolver_(resolver) {}
    void note(const std::string& text) {
        findings_++;
        if (findings_ <= kReported) resolver_.notice(text);
        if (findings_ == kMost) resolver_.notice("it writes over its segment: nothing of it is read from here on");
    }
    // The program is left alone altogether.
    [[nodiscard]] bool is_beyond_repair() const { return findings_ >= kMost; }

private:
    static constexpr std::uint32_t kReported = 8;
    static constexpr std::uint32_t kMost = 64;
    Resolver& resolver_;
    std::uint32_t findings_ = 0;
};

}  // namespace sla::drain
