#include "proto/wire/columns/extra_columns.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/unit/proto/wire/random_batch.h"
#include "tests/unit/proto/wire/varint_batch.h"

#include <gtest/gtest.h>

#include <functional>

namespace sla::wire {
namespace {

constexpr std::uint64_t kPort = 0x40080;
constexpr std::uint64_t kPlace = 0xF000'0000'F0AAULL;

EventBatch read_back(const Batch& batch) {
    EventBatch out;
    const Result<void> result = decode_batch(batch, out);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return out;
}

// A guest that writes to a port in a loop: `with_end`, the span of its exit, whose end says nothing.
EventBatch port_storm(std::size_t rows, bool with_end) {
    EventBatch batch;
    for (std::size_t i = 0; i < rows; ++i) {
        const bool is_end = with_end && i % 2 == 1;
        batch.add(1000 + 90 * i, is_end ? SLA_CODE_END : with_end ? SLA_CODE_BEGIN : SLA_CODE_TICK_VALUE, 0, 1);
        if (!is_end) batch.set_details(i, {with_end ? 0 : kPort, kPlace});
    }
    return batch;
}

TEST(ExtraColumns, DetailsOfAPortStormTakeNextToNothing) {
    Batch encoded;
    for (const bool with_end : {false, true}) {
        const EventBatch batch = port_storm(10'000, with_end);
        encode_batch(batch, encoded);
        EXPECT_EQ(encoded.encoding(), Batch::ENCODING_EXTRAS);
        EXPECT_LT(encoded.ByteSizeLong(), 10'000U / 8) << with_end;
        EXPECT_TRUE(same(read_back(encoded), batch)) << with_end;
    }
}

TEST(ExtraColumns, AreNotThereWhereNoEventHasAnySoThatOlderProgramsReadTheBatch) {
    EventBatch batch;
    for (std::uint64_t i = 0; i < 100; ++i) batch.add(i, SLA_CODE_TICK_VALUE, i, 1);
    batch.details[0].assign(50, 0);
    Batch encoded;
    encode_batch(batch, encoded);
    EXPECT_EQ(encoded.encoding(), Batch::ENCODING_PACKED);
    EXPECT_TRUE(encoded.packed_detail0().empty() && encoded.packed_detail1().empty() && encoded.packed_texts().empty());
    batch.set_details(99, {0, 7});
    encode_batch(batch, encoded);
    EXPECT_EQ(read_back(encoded).details_of(99), (Details{0, 7}));
    EXPECT_EQ(read_back(encoded).details_of(98), Details{});
}

TEST(ExtraColumns, OfRecordersBeforeStandAmongTheExtrasAndAreReadFromThere) {
    std::mt19937_64 random(43);
    Batch encoded;
    for (int round = 0; round < 1000; ++round) {
        const EventBatch batch = random_batch(random);
        encode_packed_batch(batch, encoded);
        ASSERT_EQ(encoded.encoding(), Batch::ENCODING_PACKED);
        const EventBatch back = read_back(encoded);
        for (std::size_t i = 0; i < batch.size(); ++i) ASSERT_EQ(back.details_of(i), batch.details_of(i)) << round;
        ASSERT_EQ(back.texts, batch.texts) << round;
    }
}

TEST(ExtraColumns, DetailsOfTheLargestBatchFitIntoAFrame) {
    std::mt19937_64 random(47);
    EventBatch batch;
    for (std::uint64_t i = 0; i < kMaxBatchEvents; ++i) {
        batch.add(i << 47, i % 2 == 0 ? SLA_CODE_VALUE_UNSIGNED : SLA_CODE_TICK_VALUE, random(),
                  static_cast<std::uint32_t>(random()));
        batch.set_details(i, {random(), i % 3 == 0 ? 0 : random()});
    }
    Frame frame;
    encode_batch(batch, *frame.mutable_batch());
    EXPECT_LE(frame.ByteSizeLong(), kMaxFrameBytes);
    EXPECT_LE(frame.ByteSizeLong(), encoded_bound(batch));
    EXPECT_LE(encoded_bound(batch), kMaxFrameBytes);
    EXPECT_TRUE(same(read_back(frame.batch()), batch));
}

// What decode_batch says of a batch of three events, two of them with a word, whose columns were changed.
std::string detail_complaint(const std::function<void(Batch&)>& spoil) {
    EventBatch batch;
    batch.add(10, SLA_CODE_BEGIN, 0, 1);
    batch.add(20, SLA_CODE_END, 0, 1);
    batch.add(30, SLA_CODE_BEGIN, 0, 1);
    batch.set_details(0, {0, kPlace});
    batch.set_details(2, {0, kPlace});
    Batch encoded;
    encode_batch(batch, encoded);
    spoil(encoded);
    EventBatch out;
    const Result<void> result = decode_batch(encoded, out);
    return result.ok() ? "accepted" : result.error().message;
}

TEST(ExtraColumns, DetailsFromOutsideAreCheckedByteByByte) {
    using Bytes = std::initializer_list<char>;
    const auto says = [](const char* expected, const Bytes& column) {
        const std::string said = detail_complaint([&](Batch& b) { b.set_packed_detail1(std::string(column)); });
        EXPECT_NE(said.find(expected), std::string::npos) << "expected: " << expected << "\nsaid: " << said;
    };
    constexpr char kBegins = 1 << SLA_CODE_BEGIN;
    says("accepted", {1, kBegins, 0, 9, 0, 0});
    says("accepted", {2, 5, 9, 0, 0});
    says("accepted", {0, 9, 0, 0});
    says("of a form that there is not", {3, 9, 0, 0});
    says("codes are cut off", {1, kBegins});
    says("bits are cut off", {2});
    says("behind the last event", {2, 13, 9, 0, 0});
    says("no event has one", {1, 2, 0});
    says("no event has one", {2, 0});
    says("first number is cut off", {0});
    says("cut off", {0, 9});
    says("cut off", {0, 9, 0});
    says("bytes follow", {0, 9, 0, 0, 0});
    says("one is 0", {0, 0, 0, 0});
    says("one is 0", {0, 9, 0, 17});
    EXPECT_EQ(detail_complaint([](Batch&) {}), "accepted");
    EXPECT_NE(detail_complaint([](Batch& b) { b.add_extras()->set_detail0(1); }).find("beside their columns"),
              std::string::npos);
    EXPECT_NE(
        detail_complaint([](Batch& b) { b.set_encoding(static_cast<Batch::Encoding>(3)); }).find("use a newer program"),
        std::string::npos);
}

// What decode_batch says of three events, two of them texts, whose column was changed.
std::string text_complaint(const std::string& column) {
    EventBatch batch;
    for (const std::uint8_t code : {SLA_CODE_TEXT, SLA_CODE_TICK, SLA_CODE_TEXT}) batch.add(10, code, 0, 1);
    batch.texts.add(0, "one");
    batch.texts.add(2, "two");
    Batch encoded;
    encode_batch(batch, encoded);
    EXPECT_EQ(encoded.packed_texts(), std::string("\1\0\x08\3\x40\0onetwo", 12));
    encoded.set_packed_texts(column);
    EventBatch out;
    const Result<void> result = decode_batch(encoded, out);
    return result.ok() ? "accepted" : result.error().message;
}

TEST(ExtraColumns, TextsFromOutsideAreCheckedByteByByte) {
    const auto says = [](const char* expected, const std::string& column) {
        const std::string said = text_complaint(column);
        EXPECT_NE(said.find(expected), std::string::npos) << "expected: " << expected << "\nsaid: " << said;
    };
    const std::string head("\1\0\x08\3\x40\0", 6);
    says("accepted", head + "onetwo");
    says("a text is cut off", head + "onetw");
    says("bytes follow", head + "onetwos");
    says("a text is not UTF-8", head + "one\xc3\xc3o");
    says("a text is not UTF-8", head + "on\xc3\xa9wo");  // of which each has a part
    says("one is 0", std::string("\1\0\x08\0\0\0", 6));
    says("too long", std::string("\1\0\x08\x81\x80\4\0\0", 8) + std::string(200'000, 'x'));
    says("cut off", std::string("\1\0\x08\3", 4));
}

TEST(ExtraColumns, TextsOfAnyLengthAndLanguageComeBack) {
    std::mt19937_64 random(53);
    const char* const words[] = {"a", "seven b", "eight by", "grün", "日本語", "\xf0\x9f\x98\x80"};
    for (int round = 0; round < 300; ++round) {
        EventBatch batch;
        for (std::uint64_t i = 0; i < random() % 300 + 1; ++i) {
            batch.add(i, random() % 9 != 0 ? SLA_CODE_TEXT : SLA_CODE_TICK_VALUE, 0, 1);
            std::string text;
            const bool is_plain = round % 2 == 0;
            for (std::uint64_t word = random() % 6; word > 0; --word) text += words[random() % (is_plain ? 3 : 6)];
            batch.texts.add(i, text);
        }
        Batch encoded;
        encode_batch(batch, encoded);
        ASSERT_TRUE(same(read_back(encoded), batch)) << round;
        ASSERT_LE(encoded.ByteSizeLong(), encoded_bound(batch));
    }
}

TEST(ExtraColumnsDeathTest, StopsAtOneThatIsLongerThanItsBatch) {
    EventBatch batch;
    batch.add(5, SLA_CODE_TICK, 0, 1);
    batch.details[1] = {1, 2};
    Batch encoded;
    EXPECT_DEATH(encode_batch(batch, encoded), "details");
}

}  // namespace
}  // namespace sla::wire
