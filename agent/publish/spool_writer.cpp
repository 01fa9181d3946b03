#include "agent/publish/spool_writer.h"

#include "agent/retain/missed_frame.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <utility>

namespace sla::publish {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{8} << 20;
constexpr std::uint64_t kMinPieceBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kPiecesInASpool = 8;
constexpr auto kPieceAge = std::chrono::seconds(10);
// A message may have 1 MiB on servers as they come, headers and all. Each wakes threads here and at libnats, whatever is in it.
constexpr capture::WriterOptions kChunks{
    .chunk_bytes = std::size_t{512} << 10, .most_bytes = std::size_t{768} << 10, .effort = capture::Effort::kLittleTime};

}  // namespace

SpoolWriter::SpoolWriter(Spool& spool, std::string capture) : spool_(spool), capture_(std::move(capture)) {}

std::uint64_t SpoolWriter::piece_bytes(std::uint64_t limit) {
    return std::clamp(limit / kPiecesInASpool, kMinPieceBytes, kPieceBytes);
}

// The writer has not taken so many of the newest frames.
bool SpoolWriter::fail(const Error& error, std::size_t not_taken) {
    problem_ = error.message;
    is_broken_ = writer_.has_value();
    forget_written(not_taken);
    return false;
}

// After a failure too: what its chunk took is there, whatever failed behind it.
void SpoolWriter::forget_written(std::size_t not_taken) {
    if (writer_ && writer_->frames_waiting() == 0)
        waiting_.erase(waiting_.begin(), waiting_.end() - static_cast<std::ptrdiff_t>(not_taken));
    count();
}

void SpoolWriter::count() {
    if (!writer_) return;
    const std::uint64_t bytes = writer_->bytes_written();
    if (bytes == counted_) return;  // most frames: a lock and a search each
    counted_ = bytes;
    spool_.note(capture_, number_, {writer_->written().events, bytes});
}

bool SpoolWriter::is_full() const {
    return writer_ && fill_.is_full(writer_->bytes_written(), piece_bytes(spool_.limit()));
}

bool SpoolWriter::add(const retain::Delivery& delivery, Time now) {
    waiting_.push_back({delivery.frame, delivery.facts});  // written once more, its columns are read
    if (!problem_.empty()) return false;
    // What names the first rows after a silence may be older than what the cluster keeps.
    const bool is_stale = writer_ && delivery.facts.rows > 0 && !fill_.has_batches() && now - begun_ >= kPieceAge;
    // What waits is one chunk's: it ends this piece, and the new frame begins the next.
    if ((is_full() || is_stale) && !end_piece(1)) return false;
    if (Result<void> begun = writer_ ? Result<void>() : begin(now); !begun) return fail(begun.error(), 1);
    const std::uint64_t taken = writer_->frames_taken();
    if (Result<void> done = append(delivery); !done) return fail(done.error(), writer_->frames_taken() == taken ? 1 : 0);
    forget_written();
    return true;
}

Result<void> SpoolWriter::append(const retain::Delivery& delivery) {
    const bool is_batch = delivery.facts.rows > 0;
    if (!is_batch) head_.remember(delivery.message());
    fill_.add(is_batch);
    return writer_->append(delivery.message(), delivery.frame_facts());
}

Result<void> SpoolWriter::begin(Time now) {
    if (Result<void> ready = spool_.make_ready(); !ready) return ready;
    const std::string path = spool_.path_of(capture_, number_ + 1);
    Result<capture::CaptureWriter> writer = ended_ ? capture::CaptureWriter::create_after(*ended_, path, kChunks)
                                                   : capture::CaptureWriter::create(path, kChunks);
    if (!writer) return writer.error();
    spool_.keep_reserve();
    ended_.reset();
    number_++;
    spool_.hold(capture_, number_, {});
    writer_.emplace(std::move(*writer));
    counted_ = 0;
    begun_ = now;
    if (Result<void> head = head_.write(*writer_, piece_bytes(spool_.limit())); !head) return head;
    fill_.begin(writer_->bytes_written());
    return {};
}

// Behind what was written; the file is complete then.
bool SpoolWriter::end_piece(std::size_t not_taken) {
    wire::Frame end;
    end.mutable_end()->set_tick(head_.watermark());
    end.mutable_end()->set_reason(capture::goes_on_in("piece " + std::to_string(number_ + 1)));
    Result<void> done = writer_->append(end.SerializeAsString());
    if (done) done = writer_->finish();
    if (!done) return fail(done.error(), not_taken);
    forget_written(not_taken);
    add_up();
    return true;
}

// The piece is complete.
void SpoolWriter::add_up() {
    before_.events += writer_->written().events;
    before_.missed += writer_->written().missed;
    ended_ = std::exchange(writer_, std::nullopt);
    if (is_broken_) ended_.reset();  // what it had counted is not what its file holds
}

// As if it had not been begun: nobody reads a file before readable_pieces() tells of it.
void SpoolWriter::take_back() {
    spool_.forget(capture_, number_);
    writer_.reset();
    number_--;
    is_broken_ = false;
}

bool SpoolWriter::flush(Time now) {
    if (!problem_.empty()) return false;
    if (!writer_) return true;
    const bool is_old = fill_.has_batches() && now - begun_ >= kPieceAge;
    if (is_old || !spool_.has(capture_, number_)) return end_piece(0);  // somebody removed it: no more goes there
    if (Result<void> done = writer_->flush(); !done) return fail(done.error());
    forget_written();
    return true;
}

bool SpoolWriter::mend(Time now) {
    if (problem_.empty()) return true;
    if (is_broken_ && !has_chunk()) take_back();
    if (is_broken_ && !spool_.has(capture_, number_)) {  // removed: it needs no end
        add_up();
        is_broken_ = false;
    }
    if (is_broken_) {
        const std::string path = spool_.path_of(capture_, number_);
        if (const auto done = spool_.end_piece(path); !done) {
            problem_ = done.error().message;
            return false;
        }
        spool_.note(capture_, number_, {spool_.noted(capture_, number_).events, size_of(path)});
        add_up();
        is_broken_ = false;
    }
    return rewrite(now);
}

// What no piece has yet, into the next one.
bool SpoolWriter::rewrite(Time now) {
    problem_.clear();
    if (waiting_.empty()) return true;
    if (Result<void> begun = begin(now); !begun) return fail(begun.error(), waiting_.size());
    const std::vector<retain::Delivery> again = std::exchange(waiting_, {});
    for (std::size_t i = 0; i < again.size(); ++i) {
        waiting_.push_back(again[i]);
        const std::uint64_t taken = writer_->frames_taken();
        const Result<void> done = append(again[i]);
        if (done) {
            forget_written();
            continue;
        }
        fail(done.error(), writer_->frames_taken() == taken ? 1 : 0);
        waiting_.insert(waiting_.end(), again.begin() + static_cast<std::ptrdiff_t>(i) + 1, again.end());
        return false;
    }
    if (Result<void> done = writer_->flush(); !done) return fail(done.error());  // else the disk refuses still
    forget_written();
    return true;
}

bool SpoolWriter::finish() {
    if (!problem_.empty()) return false;
    if (!writer_) return true;
    if (Result<void> done = writer_->finish(); !done) return fail(done.error());
    forget_written();
    add_up();
    return true;
}

capture::CaptureWriter::Written SpoolWriter::written() const {
    capture::CaptureWriter::Written sum = before_;
    if (!writer_) return sum;
    sum.events += writer_->written().events;
    sum.missed += writer_->written().missed;
    return sum;
}

SpoolWriter::Unwritten SpoolWriter::unwritten() const {
    Unwritten sum;
    for (const retain::Delivery& delivery : waiting_) {
        if (delivery.facts.rows == 0) continue;
        sum.events += delivery.facts.offered;
        if (retain::is_missed_frame(delivery)) sum.missed += delivery.facts.offered;
    }
    return sum;
}

std::uint64_t SpoolWriter::memory() const {
    std::uint64_t bytes = head_.bytes() + (writer_ ? writer_->memory() : 0) + (ended_ ? ended_->memory() : 0);
    for (const retain::Delivery& delivery : waiting_) bytes += retain::cost_of(*delivery.frame);
    return bytes;
}

}  // namespace sla::publish
