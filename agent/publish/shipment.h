// One run's pieces on their way out of the spool, several at a time, removed in their order. Knows no connection. One owner,
// one thread.
#pragma once

#include "agent/publish/piece.h"
#include "agent/publish/spool.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>

namespace sla::publish {

class Shipment {
public:
    // `say` receives what people should know of pieces that cannot be published.
    Shipment(Spool& spool, Run run, double nominal_hz, std::function<void(const std::string&)> say);

    // Of a run that still writes: pieces up to this one exist; more come unless it has ended.
    void set_written(std::uint64_t newest_piece, bool has_ended);
    // Of a run of an earlier agent: what it left is brought to its end as it is opened.
    void take_over();

    [[nodiscard]] std::optional<Piece::Outgoing> next();
    void acknowledge(const fleet::MessageId& id, std::uint64_t at);
    void give_back(const fleet::MessageId& id);
    // The stream was made anew: pieces that are still here are sent from their beginning.
    void start_over();
    // Removes pieces that are done, and puts aside those that cannot be read; true when nothing but the run's own word is left of it.
    bool settle();
    // Then, when the registry knows the sum: removes that too. Without it the next agent reports to the registry again.
    void forget();

    Run& run() { return run_; }
    [[nodiscard]] const Run& run() const { return run_; }
    // In the stream.
    [[nodiscard]] std::uint64_t events() const;
    [[nodiscard]] std::uint64_t missed() const;
    // In pieces whose files somebody removed before they were opened, or that cannot be read; of an earlier run as far as is known.
    [[nodiscard]] std::uint64_t lost() const { return run_.lost_done; }
    [[nodiscard]] std::uint64_t memory() const;

private:
    static constexpr std::size_t kOpenPieces = 8;

    [[nodiscard]] bool is_being_written(std::uint64_t number) const;
    bool open_next();
    Result<Piece> open(std::uint64_t number) const;
    void put_aside(std::uint64_t number, const std::string& why, std::uint64_t known_events, std::uint64_t published);
    void put_broken_aside();
    void give_up(std::uint64_t number, std::uint64_t events);
    void lose(std::uint64_t events);
    Piece* find(std::uint64_t number);

    Spool& spool_;
    Run run_;
    double nominal_hz_;
    std::function<void(const std::string&)> say_;
    std::list<Piece> open_;                        // rising
    std::map<std::uint64_t, std::string> broken_;  // of open_: why they cannot be read further
    std::deque<std::uint64_t> numbers_;            // of an earlier run: not opened yet
    bool is_taken_over_ = false;
    std::uint64_t opened_ = 0;  // the newest number that was
    std::uint64_t newest_ = 0;  // that exists
    bool has_ended_ = false;
};

}  // namespace sla::publish
