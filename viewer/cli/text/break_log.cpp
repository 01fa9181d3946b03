#include "viewer/cli/text/break_log.h"

#include "proto/wire/event.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sla::cli {

bool BreakLog::wants(const analysis::LimitName& name) {
    has_broken_ = true;
    Counted& counted = second_[{name.limit, name.channel}];
    // What breaks seldom is heard of beside what breaks all the time.
    const bool is_said = counted.said == 0 ? said_ < 2 * kMost : counted.said < kOfOne && said_ < kMost;
    if (!is_said) {
        ++counted.more;
        return false;
    }
    ++counted.said;
    ++said_;
    return true;
}

void BreakLog::on_loss(const store::Lane& lane, const store::Gap& gap) {
    if (losses_said_ >= kLosses) {
        ++more_losses_;
        more_lost_ += gap.lost;
        return;
    }
    ++losses_said_;
    Said said{Said::What::kLoss, {}, gap.lost};
    said.finding.channel = lane.channel().name;
    said.finding.at_tick = gap.tick;
    said.finding.why = wire::loss_cause_name(gap.cause);
    breaks_.push_back(std::move(said));
}

std::vector<Said> BreakLog::take(Clock::time_point now, bool is_end) {
    std::vector<Said> out = std::exchange(breaks_, {});
    std::stable_sort(out.begin(), out.end(),
                     [](const Said& a, const Said& b) { return a.finding.at_tick < b.finding.at_tick; });
    if (!ends_) ends_ = now + std::chrono::seconds(1);
    if (now < *ends_ && !is_end) return out;
    end_second(out);
    ends_ = now + std::chrono::seconds(1);
    return out;
}

// The limits that broke most; the others together.
void BreakLog::end_second(std::vector<Said>& out) {
    std::vector<decltype(second_)::const_iterator> more;
    for (auto one = second_.cbegin(); one != second_.cend(); ++one) {
        if (one->second.more > 0) more.push_back(one);
    }
    std::stable_sort(more.begin(), more.end(), [](auto a, auto b) { return a->second.more > b->second.more; });
    Said others{Said::What::kMore, {}, 0};
    for (std::size_t i = 0; i < more.size(); ++i) {
        if (i >= kMost) {
            others.number += more[i]->second.more;
            continue;
        }
        Said said{Said::What::kMore, {}, more[i]->second.more};
        std::tie(said.finding.limit, said.finding.channel) = more[i]->first;
        out.push_back(std::move(said));
    }
    if (others.number > 0) out.push_back(std::move(others));
    if (more_losses_ > 0) {
        Said losses{Said::What::kMoreLosses, {}, more_lost_};
        losses.finding.checked = more_losses_;
        out.push_back(std::move(losses));
    }
    second_.clear();
    said_ = losses_said_ = 0;
    more_losses_ = more_lost_ = 0;
}

}  // namespace sla::cli
