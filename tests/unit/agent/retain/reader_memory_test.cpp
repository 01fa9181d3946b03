// What readers hold counts as the agent's memory: where they stand, what only they hold on its way, what a recorder remembers.
#include "tests/unit/agent/retain/filling.h"

#include <memory>
#include <optional>

namespace sla::retain {
namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 40;
constexpr std::uint64_t kFree = Retention::kFreeReaderBytes;

class ReaderMemory : public Filling {
protected:
    Retention retention_{{kPlenty, kPlenty, 0}};
};

TEST_F(ReaderMemory, APlaceInEveryChannelIsCountedUntilTheReaderGoes) {
    for (std::uint32_t channel = 1; channel <= 1000; channel++) announce(retention_, channel);
    std::optional<Cursor> cursor(std::in_place);
    read(retention_, *cursor);
    EXPECT_EQ(cursor->places.size(), 1000u);
    EXPECT_GE(retention_.usage().readers, 1000 * sizeof(Cursor::Place));
    cursor.reset();
    EXPECT_EQ(retention_.usage().readers, 0u);
}

TEST_F(ReaderMemory, WhatIsOnItsWayToAReaderCountsOnceAndAsTheReadersOwnWhenItIsGivenUp) {
    announce(retention_, 1);
    for (std::uint64_t batch = 0; batch < 100; batch++) append(retention_, 1, 1000 + batch * 100, 50);
    Cursor cursor;
    std::vector<Delivery> on_its_way;
    retention_.read(cursor, kPlenty, on_its_way);
    const std::uint64_t held = retention_.held_bytes();
    EXPECT_LT(retention_.usage().readers, 1000u) << "history is counted already";
    retention_.limit_total(0);
    const std::uint64_t left = retention_.held_bytes();
    EXPECT_LT(left, held / 50);
    EXPECT_GE(retention_.usage().readers, held - left) << "given up, but not gone";
    on_its_way.clear();
    EXPECT_LT(retention_.usage().readers, 1000u);
}

TEST_F(ReaderMemory, WhatARecorderSaysThatItHoldsIsCountedForItself) {
    Cursor cursor;
    cursor.is_recorder = true;
    cursor.own_bytes = 12'345'678;
    read(retention_, cursor);
    EXPECT_GE(retention_.usage().recorders, 12'345'678u);
    EXPECT_EQ(retention_.usage().readers, 0u);
    cursor.own_bytes = 5;
    read(retention_, cursor);
    EXPECT_LT(retention_.usage().recorders, 1000u);
}

TEST_F(ReaderMemory, HistoryGivesWayToReadersThatHoldMuch) {
    announce(retention_, 1);
    for (std::uint64_t batch = 0; batch < 1000; batch++) append(retention_, 1, 1000 + batch * 100, 50);
    const std::uint64_t total = retention_.counted_bytes();
    retention_.limit_total(total);
    Cursor cursor;
    cursor.own_bytes = kFree + total / 2;
    read(retention_, cursor);
    append(retention_, 1, 200'000, 50);
    EXPECT_LE(retention_.counted_bytes(), total);
    EXPECT_LT(retention_.held_bytes(), total / 2);
}

TEST_F(ReaderMemory, AFewReadersTakeNothingFromHistory) {
    announce(retention_, 1);
    for (std::uint64_t batch = 0; batch < 1000; batch++) append(retention_, 1, 1000 + batch * 100, 50);
    const std::uint64_t before = retention_.counted_bytes();
    Cursor cursor;
    cursor.own_bytes = kFree / 2;
    std::vector<Delivery> on_its_way;
    retention_.read(cursor, kPlenty, on_its_way);
    EXPECT_EQ(retention_.counted_bytes(), before);
}

TEST_F(ReaderMemory, ThePagesOfTheStatusAreCounted) {
    const std::uint64_t before = retention_.counted_bytes();
    retention_.set_status(std::vector<std::string>(100, std::string(48'000, 's')));
    EXPECT_GE(retention_.counted_bytes(), before + 4'800'000);
    retention_.set_status(std::string("s"));
    EXPECT_LT(retention_.counted_bytes(), before + 1000);
}

}  // namespace
}  // namespace sla::retain
