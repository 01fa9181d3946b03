// CatalogReading: which messages of a stream a FleetCatalog is read from: a question at a time, each of which follows from the
// answers before, so that whoever asks can have those of many captures on their way at once.
//
//   index:    newest? next? next? ...      then what no index lists:     summary: newest? next? next? ...
//
// What is newest only the stream's leader knows: nothing behind it is asked for, and what a replica that lags behind has not got
// yet is asked for again. Of a subject whose newest message was deleted the leader says that there is none (nats-server 2.9), so
// that is no reason not to look. Memory: the catalog's.
#pragma once

#include "viewer/fleet/fleet_catalog.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace sla::fleet {

class CatalogReading {
public:
    CatalogReading(CaptureName name, std::shared_ptr<const StreamState> state);

    // The first question, and what is to be asked after each answer. Nothing: it is read, or cannot be.
    std::optional<MessageQuestion> begin() { return go_on(); }
    std::optional<MessageQuestion> take(Result<StoredMessage> answer);
    // Once nothing is to be asked.
    Result<FleetCatalog> catalog();

private:
    using Clock = std::chrono::steady_clock;

    std::optional<MessageQuestion> go_on();
    std::optional<MessageQuestion> fail(Error error);
    std::optional<MessageQuestion> take_newest(const Result<StoredMessage>& answer);
    std::optional<MessageQuestion> take_next(const Result<StoredMessage>& answer);
    std::optional<MessageQuestion> wait_for_replica();
    [[nodiscard]] std::string subject_of(Kind kind) const;
    // Sequence of the newest message of the stretch's kind; 0: none is known. Nothing: it has to be asked for.
    std::optional<std::uint64_t>& newest() { return newest_.at(stretches_.front().kind == Kind::kIndex ? 0 : 1); }

    FleetCatalog catalog_;
    std::deque<FleetCatalog::Stretch> stretches_;  // to be read; the first is being
    std::array<std::optional<std::uint64_t>, 2> newest_;
    bool asks_newest_ = false;
    bool has_indices_ = false;
    std::optional<Clock::time_point> lags_since_;
    std::chrono::milliseconds pause_{0};  // before the next question
    std::optional<Error> problem_;
};

}  // namespace sla::fleet
