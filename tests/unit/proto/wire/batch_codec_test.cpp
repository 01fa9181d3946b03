#include "proto/wire/batch_codec.h"

#include "proto/wire/batch_parser.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/columns/varint.h"
#include "proto/wire/frame_codec.h"
#include "tests/unit/proto/wire/random_batch.h"
#include "tests/unit/proto/wire/varint_batch.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace sla::wire {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

EventBatch decoded(const Batch& encoded) {
    EventBatch out;
    const Result<void> result = decode_batch(encoded, out);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return out;
}

TEST(BatchCodec, GivesBackRandomBatchesOfEveryShape) {
    std::mt19937_64 random(11);
    Batch encoded;  // reused, as the agent does
    for (int round = 0; round < 3000; ++round) {
        const EventBatch batch = random_batch(random);
        ASSERT_TRUE(is_valid(batch));
        encode_batch(batch, encoded);
        ASSERT_LE(encoded.ByteSizeLong(), encoded_bound(batch));
        ASSERT_TRUE(same(decoded(encoded), batch)) << "round " << round;
    }
}

TEST(BatchCodec, KeepsExtremeTicksAndValues) {
    EventBatch batch;
    batch.first_index = kMax - 6;
    batch.add(0, SLA_CODE_VALUE_SIGNED, std::uint64_t{1} << 63, 0);
    batch.add(0, SLA_CODE_VALUE_UNSIGNED, kMax, std::numeric_limits<std::uint32_t>::max());
    batch.add(kMax, SLA_CODE_VALUE_FLOAT, as_bits(-0.0), 1);
    batch.add(kMax, SLA_CODE_VALUE_FLOAT, as_bits(std::numeric_limits<double>::signaling_NaN()), 1);
    batch.add(kMax, SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()), 1);
    batch.add(kMax, SLA_CODE_TICK_VALUE, 0, 1);
    Batch encoded;
    encode_batch(batch, encoded);
    EXPECT_TRUE(same(decoded(encoded), batch));
}

// Codes have three forms: runs, two by turns, any.
TEST(BatchCodec, GivesBackSpansWhoseBeginsAndEndsComeByTurnsAndWhatBreaksThem) {
    std::mt19937_64 random(29);
    constexpr std::uint64_t kDistances[] = {1, 127, 128, 300, 16383, 16384, 1 << 20};
    Batch encoded;
    for (int round = 0; round < 3000; ++round) {
        EventBatch batch;
        const std::uint64_t at_begin = random() >> random() % 64;
        const std::uint64_t at_end = random() >> random() % 64;
        const std::size_t count = 1 + random() % 60;
        const unsigned luck = 2 + random() % 40;
        std::uint64_t tick = 1000;
        for (std::size_t i = 0; i < count; ++i) {
            std::uint8_t code = i % 2 == 0 ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END_VALUE;
            std::uint64_t value = i % 2 == 0 ? at_begin : at_end;
            if (random() % luck == 0) code = kAllCodes[random() % std::size(kAllCodes)];
            if (random() % luck == 0) value = random();
            if (!has_value(code)) value = 0;
            if (code == SLA_CODE_LEVEL) value &= 1;
            batch.add(tick, code, value, 5);
            tick += kDistances[random() % luck == 0 ? random() % std::size(kDistances) : i % 2 + 2];
        }
        encode_batch(batch, encoded);
        ASSERT_TRUE(same(decoded(encoded), batch)) << "round " << round;
    }
}

// As recorders of version 1 sent them, and as their files hold them.
TEST(BatchCodec, ReadsBatchesOfVarintColumnsAsBefore) {
    std::mt19937_64 random(31);
    for (int round = 0; round < 1000; ++round) {
        const EventBatch batch = random_batch(random);
        Batch encoded;
        encode_varint_batch(batch, encoded);
        ASSERT_TRUE(same(decoded(encoded), batch)) << "round " << round;
        encode_batch(batch, encoded);  // into the same message: nothing of the old columns is left
        ASSERT_TRUE(encoded.ticks().empty() && encoded.codes().empty() && encoded.values().empty());
        ASSERT_TRUE(same(decoded(encoded), batch)) << "round " << round;
    }
}

TEST(BatchCodec, GivesBackChannelsThatThreadsShareInAnyOrder) {
    std::mt19937_64 random(37);
    Batch encoded;
    for (const std::uint32_t threads : {1U, 2U, 8U, 300U}) {
        for (const std::uint32_t first : {1U, 1U << 20, std::numeric_limits<std::uint32_t>::max() - 299}) {
            EventBatch batch;
            for (std::uint64_t i = 0; i < 2000; ++i)
                batch.add(100 * i, SLA_CODE_TICK, 0, first + static_cast<std::uint32_t>(random() % threads));
            encode_batch(batch, encoded);
            EXPECT_TRUE(same(decoded(encoded), batch)) << threads << " from " << first;
            EXPECT_LE(encoded.packed_threads().size(), threads == 1 ? 16U : 2000U * 2 + 300);
        }
    }
}

TEST(BatchCodec, NeedsATwentiethOfAByteForARegularEventWithACountingValue) {
    EventBatch batch;
    for (std::uint64_t i = 0; i < 10000; ++i) batch.add(1'000'000 + 100 * i, SLA_CODE_TICK_VALUE, i, 7);
    Batch encoded;
    encode_batch(batch, encoded);
    EXPECT_LT(encoded.ByteSizeLong(), 10000U / 20);
}

// Four channels that are marked by turns, 64 times each: one distance in 64 is long, and the counter leaps.
TEST(BatchCodec, NeedsLessThanAByteForAnEventOfBursts) {
    std::mt19937_64 random(41);
    EventBatch batch;
    std::uint64_t tick = 1'000'000;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        tick += 34 + 2 * (random() % 6) + (i % 64 == 0 ? 7000 + random() % 2000 : 0);
        batch.add(tick, SLA_CODE_TICK_VALUE, i + i / 64 * 192, 7);
    }
    Batch encoded;
    encode_batch(batch, encoded);
    EXPECT_LT(encoded.ByteSizeLong(), 10000U);
    EXPECT_TRUE(same(decoded(encoded), batch));
}

TEST(BatchCodec, FitsTheLargestBatchWithoutExtrasIntoAFrame) {
    EventBatch batch;
    for (std::uint64_t i = 0; i < kMaxBatchEvents; ++i) {
        batch.add(i << 47, i % 2 == 0 ? SLA_CODE_VALUE_UNSIGNED : SLA_CODE_TICK_VALUE,
                  i % 2 == 0 ? 0 : std::uint64_t{1} << 63,
                  std::numeric_limits<std::uint32_t>::max() - static_cast<std::uint32_t>(i));
    }
    EXPECT_LT(encoded_bound(batch), kMaxFrameBytes);
    Frame frame;
    encode_batch(batch, *frame.mutable_batch());
    EXPECT_LE(frame.batch().ByteSizeLong(), encoded_bound(batch));
    EXPECT_TRUE(same(decoded(frame.batch()), batch));
}

TEST(BatchCodec, MakesLevelsZeroOrOneAndIgnoresValuesOfCodesWithout) {
    EventBatch batch;
    batch.add(1, SLA_CODE_LEVEL, 77, 1);
    batch.add(2, SLA_CODE_TICK, 99, 1);
    Batch encoded;
    encode_batch(batch, encoded);
    EXPECT_EQ(decoded(encoded).values, (std::vector<std::uint64_t>{1, 0}));
}

TEST(BatchCodec, MakesTextFromOutsideFitForTheWire) {
    EventBatch batch;
    batch.add(1, SLA_CODE_TEXT, 0, 1);
    batch.texts.add(0, "bad \xff byte");
    batch.add(2, SLA_CODE_TEXT, 0, 1);
    batch.texts.add(1, std::string(kMaxTextBytes + 100, 'x'));
    Frame frame;
    encode_batch(batch, *frame.mutable_batch());
    Frame back;
    ASSERT_TRUE(back.ParseFromString(frame.SerializeAsString()));
    const EventBatch out = decoded(back.batch());
    EXPECT_EQ(out.texts[0], "bad \xef\xbf\xbd byte");
    EXPECT_EQ(out.texts[1].size(), kMaxTextBytes);
}

TEST(BatchCodecDeathTest, StopsAtABatchOfOurOwnThatIsNotValid) {
    Batch encoded;
    EventBatch batch;
    EXPECT_DEATH(encode_batch(batch, encoded), "internal check failed");
    batch.add(5, SLA_CODE_TICK, 0, 1);
    batch.add(4, SLA_CODE_TICK, 0, 1);
    EXPECT_DEATH(encode_batch(batch, encoded), "backwards");
    batch.ticks[1] = 5;
    batch.codes[1] = 14;
    EXPECT_DEATH(encode_batch(batch, encoded), "are_known_codes");
    batch.codes[1] = SLA_CODE_TEXT;
    batch.extras.push_back({2, LossCause::kNone, 0});
    EXPECT_DEATH(encode_batch(batch, encoded), "position");
    batch.threads.pop_back();
    EXPECT_DEATH(encode_batch(batch, encoded), "count");
}

TEST(Varint, GivesBackEverySizeOfNumberAndOnlyItsShortestForm) {
    std::mt19937_64 random(12);
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t number = random() >> random() % 64;
        std::array<char, kMaxVarintBytes> bytes;
        const char* end = put_varint(number, bytes.data());
        const char* at = bytes.data();
        std::uint64_t back = 0;
        ASSERT_TRUE(get_varint(at, end, back));
        ASSERT_EQ(at, end);
        ASSERT_EQ(back, number);
        at = bytes.data();
        ASSERT_FALSE(get_varint(at, end - 1, back)) << "cut off";
        ASSERT_EQ(unzigzag(zigzag(number)), number);
    }
    for (const std::string_view bad :
         {std::string_view("\x80\x00", 2), std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
          std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), std::string_view()}) {
        const char* at = bad.data();
        std::uint64_t number = 0;
        EXPECT_FALSE(get_varint(at, bad.data() + bad.size(), number));
    }
    EXPECT_EQ(zigzag(kMax), 1U);
    EXPECT_EQ(zigzag(1), 2U);
}

// Batch after batch into the same message: nothing of one is in the next.
TEST(BatchParser, TakesBatchesAsTheWholeFrameIsRead) {
    std::mt19937_64 random(3);
    BatchParser parser;
    EventBatch again;
    for (int round = 0; round < 300; ++round) {
        const EventBatch batch = random_batch(random);
        Frame frame;
        encode_batch(batch, *frame.mutable_batch());
        const Batch* const taken = parser.parse(frame.SerializeAsString());
        ASSERT_NE(taken, nullptr);
        ASSERT_EQ(taken->SerializeAsString(), frame.batch().SerializeAsString());
        ASSERT_TRUE(decode_batch(*taken, again).ok());
        ASSERT_TRUE(same(decoded(frame.batch()), again)) << round;
    }
}

TEST(BatchParser, LeavesEverythingElseToTheOneThatKnowsAllFrames) {
    Frame frame;
    EventBatch one;
    one.add(100, SLA_CODE_TICK, 0, 1);
    encode_batch(one, *frame.mutable_batch());
    const std::string sound = frame.SerializeAsString();
    BatchParser parser;
    EXPECT_NE(parser.parse(sound), nullptr);
    EXPECT_EQ(parser.parse(""), nullptr);
    EXPECT_EQ(parser.parse(sound.substr(0, 1)), nullptr);
    EXPECT_EQ(parser.parse(sound.substr(0, sound.size() - 1)), nullptr);
    EXPECT_EQ(parser.parse(sound + sound), nullptr) << "the second one counts";
    EXPECT_EQ(parser.parse(sound.substr(0, 1) + std::string("\x03\xff\xff\xff", 4)), nullptr) << "not sound inside";
    frame.mutable_watermark()->set_tick(1);
    EXPECT_EQ(parser.parse(frame.SerializeAsString()), nullptr);
    EXPECT_NE(parser.parse(sound), nullptr) << "what was wrong is forgotten";
}

}  // namespace
}  // namespace sla::wire
