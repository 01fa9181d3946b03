#include "agent/publish/shipment.h"

#include "proto/fleet/talk.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace sla::publish {
namespace {

// UTC; now, of what is not there.
std::int64_t written_at(const std::string& path) {
    constexpr std::int64_t kPerSecond = 1'000'000'000;
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0) return fleet::now_utc_ns();
    return file.st_mtim.tv_sec * kPerSecond + file.st_mtim.tv_nsec;
}

struct MovedAside {
    std::string to;
    int failed = 0;  // errno
};

// Under another name, by which no agent takes it for a piece: within its own folder, should the spool's have no place for it.
MovedAside move_aside(const std::string& path, const std::string& name) {
    MovedAside moved;
    for (const std::string& wanted : {name, path}) {
        moved.to = wanted + ".damaged";
        moved.failed = std::rename(path.c_str(), moved.to.c_str()) == 0 ? 0 : errno;
        if (moved.failed == 0) break;
    }
    return moved;
}

}  // namespace

Shipment::Shipment(Spool& spool, Run run, double nominal_hz, std::function<void(const std::string&)> say)
    : spool_(spool), run_(std::move(run)), nominal_hz_(nominal_hz), say_(std::move(say)), opened_(run_.pieces_done) {}

void Shipment::set_written(std::uint64_t newest_piece, bool has_ended) {
    newest_ = newest_piece;
    has_ended_ = has_ended;
}

void Shipment::take_over() {
    is_taken_over_ = true;
    has_ended_ = true;
    for (const std::uint64_t number : spool_.pieces_of(run_.capture)) {
        if (number <= run_.pieces_done) {  // killed between the word of it and the deed
            spool_.remove(run_.capture, number);
        } else {
            numbers_.push_back(number);
        }
    }
    if (run_.ended_ns != 0) return;
    // It was killed: within half a second of its last words.
    run_.ended_ns = written_at(numbers_.empty() ? "" : spool_.path_of(run_.capture, numbers_.back()));
}

Result<Piece> Shipment::open(std::uint64_t number) const {
    const std::string path = spool_.path_of(run_.capture, number);
    if (is_taken_over_) {
        if (const auto done = spool_.end_piece(path); !done) return done.error();
        spool_.note(run_.capture, number, {0, size_of(path)});
    }
    return Piece::open(path, {run_.host, run_.boot, run_.capture, number, 0, fleet::Kind::kFrames}, run_.secret, nominal_hz_);
}

bool Shipment::is_being_written(std::uint64_t number) const {
    return number == newest_ && !has_ended_;
}

// False: there is none now.
bool Shipment::open_next() {
    if (open_.size() >= kOpenPieces) return false;
    std::uint64_t number = opened_ + 1;
    if (is_taken_over_) {
        if (numbers_.empty()) return false;
        number = numbers_.front();
    } else if (number > newest_) {
        return false;
    }
    Result<Piece> piece = open(number);
    std::error_code unknown;
    const bool is_gone = !piece && !std::filesystem::exists(spool_.path_of(run_.capture, number), unknown) && !unknown;
    if (!piece && is_being_written(number)) return false;  // how much it was is not known yet
    if (!piece && !is_gone && piece.error().code == ErrorCode::kUnavailable) return false;  // the disk is full: later
    if (is_taken_over_) numbers_.pop_front();
    opened_ = number;
    if (piece) {
        open_.push_back(std::move(*piece));
    } else {
        put_aside(number, piece.error().message, 0, 0);
    }
    return true;
}

// Somebody removed it, and so many events with it.
void Shipment::give_up(std::uint64_t number, std::uint64_t events) {
    spool_.remove(run_.capture, number);
    if (events == 0) return;
    lose(events);
    say_(
        fmt::format("piece {} of capture {} was removed from the spool {} before it was published: {} events are missing in "
                    "the fleet, and counted as dropped",
                    number, run_.capture, spool_.folder(), events));
}

// A later agent counts it by the run's own word; on a full disk that comes with the next piece.
void Shipment::lose(std::uint64_t events) {
    run_.lost_done += events;
    (void)spool_.write_down(run_);
}

// What cannot be read is kept for people, out of the way. Of an earlier run nobody knows how much it is in all.
void Shipment::put_aside(std::uint64_t number, const std::string& why, std::uint64_t known_events, std::uint64_t published) {
    const std::string path = spool_.path_of(run_.capture, number);
    const std::uint64_t held = is_taken_over_ ? known_events : spool_.noted(run_.capture, number).events;
    const std::uint64_t missing = held - std::min(held, published);
    if (missing == 0 && size_of(path) < capture::kFileHeaderBytes + capture::kChunkHeaderBytes)
        return spool_.remove(run_.capture, number);  // begun and nothing written
    if (!spool_.has(run_.capture, number)) return give_up(number, missing);
    const auto [aside, failed] = move_aside(path, fmt::format("{}/{}-{}", spool_.folder(), run_.capture, number));
    if (failed == 0) spool_.forget(run_.capture, number);
    lose(missing);
    say_(fmt::format("piece {} of capture {} cannot be published: {}; it {} {}{}; {} in the fleet{}", number, run_.capture,
                     why, failed == 0 ? "was put aside as" : "stays, as it cannot be put aside as", aside,
                     failed == 0 ? "" : ": " + std::generic_category().message(failed),
                     is_taken_over_ ? fmt::format("an unknown number of events, {} at the least, is missing", missing)
                                    : fmt::format("{} events are missing", missing),
                     missing == 0 ? "" : fmt::format(", and {} are counted as dropped", missing)));
}

// What of them is on its way may be in the stream by now; and of one that is being written more is to come.
void Shipment::put_broken_aside() {
    for (auto piece = open_.begin(); piece != open_.end();) {
        const auto broken = broken_.find(piece->number());
        if (broken == broken_.end() || piece->is_on_the_way() || is_being_written(piece->number())) {
            ++piece;
            continue;
        }
        run_.events_done += piece->events();
        run_.missed_done += piece->missed();
        put_aside(piece->number(), broken->second, piece->known_events(), piece->events());
        broken_.erase(broken);
        piece = open_.erase(piece);
    }
}

std::optional<Piece::Outgoing> Shipment::next() {
    for (auto piece = open_.begin();; ++piece) {
        if (piece == open_.end()) {
            const std::size_t before = open_.size();
            if (!open_next() || open_.size() == before) return std::nullopt;
            piece = std::prev(open_.end());
        }
        if (broken_.contains(piece->number())) continue;
        if (is_taken_over_ || piece->number() < newest_) piece->set_complete();
        Result<std::optional<Piece::Outgoing>> message = piece->next();
        if (!message) {
            broken_[piece->number()] = message.error().message;
        } else if (*message) {
            return std::move(**message);
        }
    }
}

Piece* Shipment::find(std::uint64_t number) {
    for (Piece& piece : open_) {
        if (piece.number() == number) return &piece;
    }
    return nullptr;
}

void Shipment::acknowledge(const fleet::MessageId& id, std::uint64_t at) {
    if (Piece* const piece = find(id.piece)) piece->acknowledge(id.sequence, id.kind, at);
}

void Shipment::give_back(const fleet::MessageId& id) {
    if (Piece* const piece = find(id.piece)) piece->give_back(id.sequence, id.kind);
}

void Shipment::start_over() {
    for (Piece& piece : open_) piece.start_over();
}

bool Shipment::settle() {
    put_broken_aside();
    while (!open_.empty() && open_.front().is_done()) {
        const Piece& piece = open_.front();
        Run done = run_;
        done.pieces_done = piece.number();
        done.events_done += piece.events();
        done.missed_done += piece.missed();
        // Not before that is written: a later agent counts what is published by it. On a full disk it is tried again.
        if (!spool_.write_down(done)) return false;
        run_ = std::move(done);
        spool_.remove(run_.capture, piece.number());
        open_.pop_front();
    }
    const bool is_empty = open_.empty() && numbers_.empty() && (is_taken_over_ || opened_ >= newest_);
    return has_ended_ && is_empty;
}

void Shipment::forget() {
    spool_.remove(run_.capture);
}

std::uint64_t Shipment::events() const {
    std::uint64_t sum = run_.events_done;
    for (const Piece& piece : open_) sum += piece.events();
    return sum;
}

std::uint64_t Shipment::missed() const {
    std::uint64_t sum = run_.missed_done;
    for (const Piece& piece : open_) sum += piece.missed();
    return sum;
}

std::uint64_t Shipment::memory() const {
    std::uint64_t sum = 0;
    for (const Piece& piece : open_) sum += piece.bytes();
    return sum;
}

}  // namespace sla::publish
