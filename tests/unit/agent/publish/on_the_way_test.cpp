#include "agent/publish/on_the_way.h"

#include <gtest/gtest.h>

namespace sla::publish {
namespace {

fleet::MessageId message(std::uint64_t sequence) {
    return {"h", "b", "c", 1, sequence, fleet::Kind::kFrames};
}

Answer answer(std::uint64_t sequence, std::uint64_t at, bool is_duplicate = false) {
    return {message(sequence), at, "", is_duplicate};
}

TEST(OnTheWay, CountsWhatIsSentAndNotAnswered) {
    OnTheWay way;
    way.add(message(0), {100, 2, 7});
    way.add(message(1), {10, 2});
    EXPECT_EQ(way.bytes(), 110U);
    const auto first = way.take(answer(0, 5));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->bytes, 100U);
    EXPECT_EQ(first->shard, 2U);
    EXPECT_EQ(first->complaints, 7U);
    EXPECT_FALSE(way.take(answer(0, 5))) << "it was answered";
    EXPECT_TRUE(way.take(answer(1, 0))) << "refused";
    EXPECT_EQ(way.count(), 0U);
    EXPECT_EQ(way.bytes(), 0U);
}

TEST(OnTheWay, ALaterMessageAtAnEarlierPlaceIsInANewStreamUnlessItWasThereBefore) {
    OnTheWay way;
    way.add(message(0), {1, 0});
    EXPECT_FALSE(way.take(answer(0, 100))->is_in_new_stream);
    for (std::uint64_t sequence = 1; sequence <= 4; ++sequence) way.add(message(sequence), {1, 0});
    way.add(message(5), {1, 1});
    EXPECT_FALSE(way.take(answer(1, 40, true))->is_in_new_stream);
    EXPECT_TRUE(way.take(answer(2, 1))->is_in_new_stream);
    EXPECT_FALSE(way.take(answer(3, 2))->is_in_new_stream) << "said once";
    EXPECT_FALSE(way.take(answer(5, 1))->is_in_new_stream) << "the first one of another stream";
    way.add(message(6), {1, 0});
    EXPECT_FALSE(way.take(answer(6, 3))->is_in_new_stream);
}

// Whose shard is not known any more.
TEST(OnTheWay, AnAnswerThatComesWhenItsConnectionWasGivenUpSaysNothingOfAnyStream) {
    OnTheWay way;
    way.add(message(0), {1, 3});
    EXPECT_EQ(way.give_up(), std::vector<fleet::MessageId>{message(0)});
    EXPECT_EQ(way.bytes(), 0U);
    EXPECT_FALSE(way.take(answer(0, 1000)));
    way.add(message(1), {1, 0});
    EXPECT_FALSE(way.take(answer(1, 1))->is_in_new_stream);
}

}  // namespace
}  // namespace sla::publish
