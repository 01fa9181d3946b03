#include "viewer/fleet/catalog_reading.h"

#include "proto/fleet/names.h"

#include <utility>

namespace sla::fleet {
namespace {

constexpr std::uint64_t kEverything = ~std::uint64_t{0};
constexpr std::chrono::milliseconds kBetweenLooks{100};

}  // namespace

CatalogReading::CatalogReading(CaptureName name, std::shared_ptr<const StreamState> state)
    : catalog_(std::move(name), std::move(state)) {
    stretches_.push_back({Kind::kIndex, catalog_.state_->first, kEverything});
}

std::string CatalogReading::subject_of(Kind kind) const {
    const CaptureName& name = catalog_.name_;
    return Subject{name.fleet, name.shard, name.host, name.capture, kind}.text();
}

std::optional<MessageQuestion> CatalogReading::fail(Error error) {
    problem_ = std::move(error);
    return std::nullopt;
}

std::optional<MessageQuestion> CatalogReading::go_on() {
    for (;; stretches_.pop_front(), lags_since_.reset()) {
        if (stretches_.empty() && !std::exchange(has_indices_, true)) {
            for (const FleetCatalog::Stretch& stretch : catalog_.unlisted()) stretches_.push_back(stretch);
            stretches_.push_back({Kind::kSummary, catalog_.first_uncovered(), kEverything});
        }
        if (stretches_.empty()) return std::nullopt;
        const FleetCatalog::Stretch& at = stretches_.front();
        asks_newest_ = !newest();
        if (asks_newest_)
            return MessageQuestion{MessageQuestion::What::kNewest, subject_of(at.kind), 0, std::exchange(pause_, {})};
        const bool may_be_more = *newest() == 0 || at.from <= *newest();
        if (at.from < at.until && may_be_more)
            return MessageQuestion{MessageQuestion::What::kNext, subject_of(at.kind), at.from, {}};
    }
}

std::optional<MessageQuestion> CatalogReading::take(Result<StoredMessage> answer) {
    return asks_newest_ ? take_newest(answer) : take_next(answer);
}

std::optional<MessageQuestion> CatalogReading::take_newest(const Result<StoredMessage>& answer) {
    if (!answer && answer.error().code != ErrorCode::kNotFound) return fail(answer.error());
    newest() = answer ? answer->sequence : 0;
    return go_on();
}

// It has expired meanwhile, or the server that answers has not got it yet: the leader knows.
std::optional<MessageQuestion> CatalogReading::wait_for_replica() {
    if (*newest() == 0) {
        stretches_.front().from = stretches_.front().until;
        return go_on();
    }
    const Clock::time_point now = Clock::now();
    if (lags_since_ && now - *lags_since_ >= kAnswerTime)
        return fail(unavailable("the server that answers lags behind the stream's leader"));
    if (lags_since_) pause_ = kBetweenLooks;
    if (!lags_since_) lags_since_ = now;
    newest().reset();
    return go_on();
}

std::optional<MessageQuestion> CatalogReading::take_next(const Result<StoredMessage>& answer) {
    if (!answer && answer.error().code == ErrorCode::kNotFound) return wait_for_replica();
    if (!answer) return fail(answer.error());
    lags_since_.reset();
    FleetCatalog::Stretch& at = stretches_.front();
    if (answer->sequence < at.from) return fail(damaged("the cluster answers with another message than it was asked for"));
    at.from = answer->sequence < at.until ? answer->sequence + 1 : at.until;
    if (answer->sequence < at.until) catalog_.take(at.kind, *answer);
    return go_on();
}

Result<FleetCatalog> CatalogReading::catalog() {
    if (problem_) return *problem_;
    return std::move(catalog_);
}

}  // namespace sla::fleet
