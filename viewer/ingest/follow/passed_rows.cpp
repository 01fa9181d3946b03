#include "viewer/ingest/follow/passed_rows.h"

#include <algorithm>

namespace sla::ingest {

namespace {

constexpr std::uint64_t kLeastPageRows = 256;  // of a page, however many lanes there are
constexpr std::uint64_t kMostPageRows = std::uint64_t{1} << 16;
constexpr std::uint64_t kMostPageTexts = std::uint64_t{4} << 20;  // bytes
constexpr std::size_t kMergedAtOnce = 16;                         // pages

class GoneRows final : public store::PageSource {
public:
    std::shared_ptr<const store::Run> load(ChannelId /*channel*/, const store::PageTable& /*table*/,
                                           std::size_t /*page*/) override {
        SLA_CHECK(false && "rows that were passed are gone");
        return nullptr;
    }
    std::shared_ptr<const store::Run> find(ChannelId /*channel*/, const store::PageTable& /*table*/,
                                           std::size_t /*page*/) override {
        return nullptr;
    }
    void let_go(std::shared_ptr<const store::Run> /*page*/) override {}
    [[nodiscard]] std::uint64_t waits() const override { return 0; }
};

}  // namespace

PassedRows::PassedRows(store::Session& session, std::uint64_t memory_bytes)
    : session_(session), memory_bytes_(memory_bytes), gone_(std::make_shared<GoneRows>()) {
    session_.hold(gone_);
}

std::uint64_t PassedRows::page_rows() const {
    const std::uint64_t lanes = std::max<std::uint64_t>(session_.lanes().size(), 1);
    return std::clamp(memory_bytes_ / (store::RunRows::kRowBytes * lanes), kLeastPageRows, kMostPageRows);
}

void PassedRows::tend(store::Lane& lane) {
    if (lane.tail().size() < page_rows() && lane.tail().memory_bytes() < kMostPageTexts) return;
    lane.seal(*gone_, next_page_++);
    sealed_.push({&lane, lane.last_tick()});
}

void PassedRows::pass(std::uint64_t tick) {
    while (!sealed_.empty() && sealed_.top().last_tick <= tick) {
        store::Lane& lane = *sealed_.top().lane;
        sealed_.pop();
        lane.forget_page();
        lane.forget_gaps(tick);
        std::size_t& pages = not_merged_[&lane];
        if (++pages < kMergedAtOnce) continue;
        lane.merge_forgotten();
        pages = 0;
    }
}

}  // namespace sla::ingest
