#include "agent/publish/key_order.h"

#include <gtest/gtest.h>

namespace sla::publish {
namespace {

TEST(KeyOrder, AKeyHasNoEntryUntilOneIsKnown) {
    EXPECT_EQ(KeyOrder().newest("a"), 0u);
}

TEST(KeyOrder, TheNewestIsTheOneThatWasStoredLastWhateverTheOrderOfTheAnswers) {
    KeyOrder order;
    order.set_stored("a", 7);
    order.set_stored("b", 9);
    order.set_stored("a", 5);
    EXPECT_EQ(order.newest("a"), 7u);
    EXPECT_EQ(order.newest("b"), 9u);
}

TEST(KeyOrder, ARefusalSaysWhichOneIs) {
    KeyOrder order;
    order.set_stored("a", 7);
    order.set_refused("a", "wrong last sequence: 12");
    EXPECT_EQ(order.newest("a"), 12u);
    order.set_refused("a", "wrong last sequence: 0");  // it was too old, and is gone
    EXPECT_EQ(order.newest("a"), 0u);
}

TEST(KeyOrder, AfterARefusalThatDoesNotSayItAnyMayBe) {
    KeyOrder order;
    order.set_stored("a", 7);
    order.set_refused("a", "wrong last sequence");
    EXPECT_EQ(order.newest("a"), std::nullopt);
    order.set_refused("a", "");
    EXPECT_EQ(order.newest("a"), std::nullopt);
    order.set_stored("a", 8);
    EXPECT_EQ(order.newest("a"), 8u);
}

}  // namespace
}  // namespace sla::publish
