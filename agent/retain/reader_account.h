// What readers hold, in sum, so that it counts as the agent's memory like all else.
//
//   frames     all that there are, the retention's own and those that only a reader on its way still holds
//   readers    where viewers and commands stand, channel by channel
//   recorders  where recorders stand, and what they remember of channels
//
// Thread-safe: readers go when they like. Figures only, nothing is handed over by them: all accesses are relaxed and pair with
// nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace sla::retain {

using SharedFrame = std::shared_ptr<const std::string>;

// What a frame costs in memory beside its bytes.
inline constexpr std::uint64_t kFrameOverhead = 192;

inline std::uint64_t cost_of(const std::string& frame) {
    return frame.size() + kFrameOverhead;
}

struct ReaderAccount {
    std::atomic<std::uint64_t> frames{0};
    std::atomic<std::uint64_t> readers{0};
    std::atomic<std::uint64_t> recorders{0};
    std::atomic<std::uint64_t> recorder_count{0};  // how many there are
};

// A frame that counts as long as anybody holds it.
inline SharedFrame share_frame(const std::shared_ptr<ReaderAccount>& account, std::string text) {
    struct Counted {
        Counted(std::string bytes, std::shared_ptr<ReaderAccount> of) : frame(std::move(bytes)), account(std::move(of)) {
            account->frames.fetch_add(cost_of(frame), std::memory_order_relaxed);
        }
        ~Counted() { account->frames.fetch_sub(cost_of(frame), std::memory_order_relaxed); }
        Counted(const Counted&) = delete;
        Counted& operator=(const Counted&) = delete;
        std::string frame;
        std::shared_ptr<ReaderAccount> account;
    };
    auto counted = std::make_shared<Counted>(std::move(text), account);
    return {counted, &counted->frame};
}

// One reader's part of the account, until the reader goes.
class ReaderCharge {
public:
    ReaderCharge() = default;
    ReaderCharge(const ReaderCharge&) = delete;
    ReaderCharge& operator=(const ReaderCharge&) = delete;
    ~ReaderCharge() {
        add(0);
        if (account_ && part_ == &account_->recorders) account_->recorder_count.fetch_sub(1, std::memory_order_relaxed);
    }

    void set(const std::shared_ptr<ReaderAccount>& account, bool is_recorder, std::uint64_t bytes) {
        if (!account_) {
            account_ = account;
            part_ = is_recorder ? &account->recorders : &account->readers;
            if (is_recorder) account->recorder_count.fetch_add(1, std::memory_order_relaxed);
        }
        add(bytes);
    }

private:
    void add(std::uint64_t bytes) {
        if (part_ != nullptr) part_->fetch_add(bytes - std::exchange(bytes_, bytes), std::memory_order_relaxed);
    }

    std::shared_ptr<ReaderAccount> account_;
    std::atomic<std::uint64_t>* part_ = nullptr;  // of account_
    std::uint64_t bytes_ = 0;
};

}  // namespace sla::retain
