#include "agent/daemon/pipeline/turned_away.h"

#include "proto/wire/capture.pb.h"

#include <algorithm>

namespace sla::daemon {
namespace {

constexpr double kHeardAgainWithin = 10;  // seconds

// Of a segment that no program has, as the sources of marks by hand.
constexpr std::uint64_t kTurnedAwaySource = ~std::uint64_t{0};

}  // namespace

void TurnedAway::take(const std::vector<std::string>& reasons, std::uint64_t now, bool at_end) {
    if (reasons.empty() && !is_owed_) return;
    is_owed_ = true;
    for (const std::string& why : reasons) {
        if (!why.empty() && is_news(why, now)) notices_.say(why);
    }
    const bool is_due = static_cast<double>(now - newest_row_) >= notices_.ticks_per_second();
    if (is_due || at_end) add_row(now);
}

bool TurnedAway::is_news(const std::string& why, std::uint64_t now) {
    const double within = notices_.ticks_per_second() * kHeardAgainWithin;
    std::erase_if(said_, [&](const auto& one) { return static_cast<double>(now - one.second) > within; });
    const bool is_known = said_.contains(why);
    if (is_known || said_.size() < kMaxSaid) said_[why] = now;
    return !is_known;
}

// It ends nowhere: what is lost lies before it.
void TurnedAway::add_row(std::uint64_t now) {
    const SourceId source = channels_.begin_source(0, kTurnedAwaySource);
    if (newest_row_ == 0) channels_.announce_source({source, wire::SOURCE_AGENT, "sla-agent", 0, "", false});
    OpenChannel& channel = channels_.channel(source, {.name = kChannel, .format = ""});
    channel.wake();
    if (!run_) {
        run_ = std::make_shared<drain::Run>(0);
        channel.runs.push_back(run_);
    }
    run_->settle_gap(run_->open_gap(std::max(now, channel.closed + 1)), wire::LossCause::kNoAgent, 0, 0);
    newest_row_ = now;
    is_owed_ = false;
}

}  // namespace sla::daemon
