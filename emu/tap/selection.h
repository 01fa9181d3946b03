// Which channels somebody wants, as typed after --hook.
#pragma once

#include "emu/tap/sink.h"
#include "proto/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::tap {

// A pattern asks for channels of that family, the part of a name before its first dot; "*" asks for no family.
[[nodiscard]] bool asks_for_family(std::string_view pattern, std::string_view family);

// A list of patterns (proto/wire/glob.h) with commas between: "irq,port.pit,int.*". A pattern also stands for everything
// below it: "irq" takes "irq.0.isr". One that begins with '!' leaves channels out; when all do, they leave out of
// everything.
class Selection {
public:
    static Result<Selection> parse(std::string_view list);

    [[nodiscard]] bool takes(std::string_view channel) const;
    // One of its patterns asks for channels of that family.
    [[nodiscard]] bool names(std::string_view family) const;
    // Some of its names are patterns, or it leaves channels out: it may take some that nobody typed.
    [[nodiscard]] bool has_patterns() const;
    [[nodiscard]] const std::vector<std::string>& wanted() const { return wanted_; }

private:
    std::vector<std::string> wanted_;
    std::vector<std::string> unwanted_;
};

// Opens the selected channels only; events of the others end here, and nobody listens to them.
class SelectingSink final : public Sink {
public:
    SelectingSink(Sink& behind, Selection selection)
        : behind_(behind), selection_(std::move(selection)), unmatched_(selection_.wanted()) {}

    [[nodiscard]] bool takes(const std::string& name) const { return selection_.takes(name); }
    // Whether a channel is selected that does not come through here.
    [[nodiscard]] bool admits(const std::string& name);
    // Patterns that ask for channels, and none came.
    [[nodiscard]] const std::vector<std::string>& unmatched() const { return unmatched_; }
    // Of all channels that were opened, selected or not.
    [[nodiscard]] const std::vector<std::string>& all_names() const { return all_names_; }

    ChannelId open(const std::string& name, const char* format) override;
    [[nodiscard]] bool listens(ChannelId channel) const override {
        return channel != kClosed && behind_.listens(channel - 1);
    }
    void plain(ChannelId channel, sla_code code, std::uint64_t value) override;
    void wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) override;
    void text(ChannelId channel, const std::string& text) override;
    [[nodiscard]] std::optional<sla_channel*> straight(ChannelId channel) const override {
        return channel == kClosed ? std::optional<sla_channel*>(nullptr) : behind_.straight(channel - 1);
    }
    [[nodiscard]] Ways* ways() override { return behind_.ways(); }
    void ways_changed() override { behind_.ways_changed(); }

private:
    static constexpr ChannelId kClosed = 0;  // the others are one more than behind

    Sink& behind_;
    Selection selection_;
    std::vector<std::string> unmatched_;
    std::vector<std::string> all_names_;
};

}  // namespace sla::tap
