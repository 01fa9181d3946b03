#include "emu/pmc/sampler.h"

#include "proto/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sla::pmc {

namespace {

// Between two looks at the clock: 20 us or so of the guest's time.
constexpr std::uint64_t kInstructionsPerLook = 4096;

constexpr std::uint64_t kNotYet = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Result<SampleRequest> parse_sample(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    std::string_view how = text.substr(std::min(colon + 1, text.size()));
    const bool by_rate = how.ends_with("/s");
    if (by_rate) how.remove_suffix(2);
    SampleRequest out;
    constexpr int kHexadecimal = 16;
    const auto event = whole_number<decltype(out.event)>(text.substr(0, colon), kHexadecimal);
    const auto number = whole_number<std::uint64_t>(how);
    if (!event || !number) {
        return invalid_input(
            fmt::format("--sample {}: write EVENT:N, for example 16:10000 for every 10000th, or EVENT:RATE/s, for "
                        "example 16:1000/s for about 1000 samples a second",
                        text));
    }
    if (by_rate && (*number == 0 || *number > SampleRate::kMax)) {
        return invalid_input(
            fmt::format("--sample {}: a rate is from 1/s to {}/s; aim under about 1000/s", text, SampleRate::kMax));
    }
    out.event = *event;
    (by_rate ? out.per_second : out.period) = *number;
    return out;
}

Result<Sampler> Sampler::make(const SampleRequest& wanted, const Tally& tally, Now now) {
    const auto count = count_of(wanted.event, tally);
    if (!count) {
        return invalid_input(
            fmt::format("event {:02X}h cannot be sampled: it is not offered (see `sla-emu counters`)", wanted.event));
    }
    if (wanted.period == 0 && wanted.per_second == 0)
        return invalid_input("a sample after 0 events makes no sense; write for example 16:10000");
    Sampler out(wanted, std::move(now));
    out.begin_again(tally);
    return out;
}

bool Sampler::is_due(const Tally& now) {
    const std::uint64_t count = *count_of(event_, now);
    if (rate_ && now.exact.instructions >= next_look_) keep_rate(now, count);
    if (count < next_) return false;
    next_ += (count - next_) / period_ * period_ + period_;
    if (rate_) rate_->note_sample();
    return true;
}

void Sampler::keep_rate(const Tally& tally, std::uint64_t count) {
    next_look_ = tally.exact.instructions + kInstructionsPerLook;
    if (!rate_->look(count, now_())) return;
    period_ = rate_->period();
    next_ = std::min(next_, count + period_);
    has_news_ = true;
}

std::string Sampler::take_news() {
    has_news_ = false;
    return fmt::format("{:02X}:{}/s: a sample every {} events", event_, per_second_, period_);
}

std::string Sampler::section() const {
    return per_second_ != 0 ? fmt::format("sampler {:02x}:{}/s", event_, per_second_)
                            : fmt::format("sampler {:02x}:{}", event_, period_);
}

void Sampler::visit_state(bus::StateVisitor& state) {
    state.field("next", next_);
    if (!rate_) return;
    state.field("next_look", next_look_);
    rate_->visit_state(state);
    period_ = rate_->period();
    if (period_ == 0) next_ = kNotYet;
}

void Sampler::begin_again(const Tally& now) {
    const std::uint64_t count = count_of(event_, now).value_or(0);
    if (per_second_ != 0) {
        rate_.emplace(per_second_, count, now_());
        period_ = next_look_ = 0;
    }
    next_ = rate_ ? kNotYet : count + period_;
}

}  // namespace sla::pmc
