#include "viewer/formats/table/rows/block_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>

namespace sla::formats {
namespace {

// Writes a block's number, at different speeds; the one that is not wanted throws.
class NumberFormat final : public BlockFormat {
public:
    explicit NumberFormat(std::uint64_t unwanted) : unwanted_(unwanted) {}

    [[nodiscard]] RowNames name(const std::array<std::string, 4>& /*parts*/) const override { return {}; }
    void begin(ByteBuffer& /*out*/) override {}
    void end(ByteBuffer& /*out*/) override {}
    void write(RowBlock& block) override {
        if (block.first == unwanted_) throw std::runtime_error("not this one");
        for (std::uint64_t i = 0; i < block.first * 7919 % 5000; ++i) spent_.fetch_add(1);
        block.out.put_unsigned(block.first);
    }

private:
    static inline std::atomic<std::uint64_t> spent_;
    std::uint64_t unwanted_;
};

constexpr std::uint64_t kNone = ~std::uint64_t{0};

BlockQueue::MakeFormat numbers(std::uint64_t unwanted = kNone) {
    return [unwanted] { return std::make_unique<NumberFormat>(unwanted); };
}

void put(BlockQueue& queue, std::uint64_t number, std::set<const RowBlock*>& seen) {
    auto block = queue.spare();
    block->first = number;
    block->count = 0;
    seen.insert(block.get());
    queue.put(std::move(block));
}

TEST(BlockQueues, GiveBlocksInOrderAndNeedFew) {
    for (const std::size_t threads : {0, 1, 2, 5}) {
        BlockQueue queue(numbers(), threads);
        std::set<const RowBlock*> seen;
        std::uint64_t next = 0;
        const auto take = [&](bool all) {
            while (auto done = queue.take(all)) {
                ASSERT_EQ(done->out.view(), std::to_string(next++));
                done->out.clear();
                queue.give_back(std::move(done));
            }
        };
        for (std::uint64_t number = 0; number < 500; ++number) {
            put(queue, number, seen);
            take(false);
        }
        take(true);
        EXPECT_EQ(next, 500u);
        EXPECT_LE(seen.size(), 2 * threads + 3);
    }
}

TEST(BlockQueues, GiveTheFirstOnesAtOnce) {
    BlockQueue queue(numbers(), 3);
    std::set<const RowBlock*> seen;
    put(queue, 0, seen);
    const auto done = queue.take(false);
    ASSERT_NE(done, nullptr);
    EXPECT_EQ(done->out.view(), "0");
}

TEST(BlockQueues, ThrowWhatAThreadThrewInItsPlace) {
    for (const std::size_t threads : {0, 2}) {
        BlockQueue queue(numbers(20), threads);
        std::set<const RowBlock*> seen;
        std::uint64_t taken = 0;
        const auto put_all = [&] {
            for (std::uint64_t number = 0; number < 100; ++number) {
                put(queue, number, seen);
                while (auto done = queue.take(false)) taken += done->out.size() > 0 ? 1 : 0;
            }
        };
        EXPECT_THROW(put_all(), std::runtime_error);
        EXPECT_EQ(taken, 20u);
    }
}

TEST(BlockQueues, AreDroppedWithBlocksUnderWay) {
    for (std::uint64_t blocks = 0; blocks < 12; ++blocks) {
        BlockQueue queue(numbers(), 3);
        std::set<const RowBlock*> seen;
        for (std::uint64_t number = 0; number < blocks; ++number) put(queue, number, seen);
    }
}

}  // namespace
}  // namespace sla::formats
