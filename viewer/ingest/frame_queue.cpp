#include "viewer/ingest/connection.h"

namespace sla::ingest {

bool FrameQueue::push(std::string_view serialized, std::size_t limit) {
    FrameItem item;
    if (!raw_) item = decode_frame(serialized);
    const std::size_t bytes = raw_ ? serialized.size() : item.bytes;
    const std::lock_guard lock(mutex_);
    if (raw_) {
        raw_items_.emplace_back(serialized);
    } else {
        items_.push_back(std::move(item));
    }
    ++report_.frames;
    report_.queued_bytes += bytes;
    news_ = true;
    changed_.notify_one();
    return report_.queued_bytes < limit;
}

void FrameQueue::push_new_stream() {
    if (raw_) return;
    FrameItem item;
    item.what = FrameItem::What::kNewStream;
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
}

void FrameQueue::push_note(const std::string& text) {
    if (raw_) return;
    FrameItem item;
    item.message.mutable_notice()->set_text(text);
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
    news_ = true;
    changed_.notify_one();
}

void FrameQueue::set_state(StreamState state, std::string message) {
    if (state != StreamState::kLive) go_on();  // there is nothing to read
    const std::lock_guard lock(mutex_);
    report_.state = state;
    report_.message = std::move(message);
    news_ = true;
    changed_.notify_one();
}

void FrameQueue::count_bytes(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    report_.bytes += bytes;
}

void FrameQueue::hold_back() {
    const std::lock_guard lock(mutex_);
    held_since_ = std::chrono::steady_clock::now();
}

void FrameQueue::go_on() {
    const std::lock_guard lock(mutex_);
    if (held_since_) report_.held_back += std::chrono::steady_clock::now() - *held_since_;
    held_since_.reset();
}

bool FrameQueue::pop(FrameItem& item) {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return false;
    item = std::move(items_.front());
    items_.pop_front();
    report_.queued_bytes -= item.bytes;
    return true;
}

bool FrameQueue::pop_raw(std::string& message) {
    const std::lock_guard lock(mutex_);
    if (raw_items_.empty()) return false;
    message = std::move(raw_items_.front());
    raw_items_.pop_front();
    report_.queued_bytes -= message.size();
    return true;
}

void FrameQueue::wait(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [this] { return news_ || !items_.empty() || !raw_items_.empty(); });
    news_ = false;
}

void FrameQueue::wake() {
    const std::lock_guard lock(mutex_);
    news_ = true;
    changed_.notify_all();
}

StreamReport FrameQueue::report() const {
    const std::lock_guard lock(mutex_);
    StreamReport report = report_;
    if (held_since_) report.held_back += std::chrono::steady_clock::now() - *held_since_;
    return report;
}

bool FrameQueue::is_below(std::size_t bytes) const {
    const std::lock_guard lock(mutex_);
    return report_.queued_bytes < bytes;
}

}  // namespace sla::ingest
