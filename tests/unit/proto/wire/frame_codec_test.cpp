#include "proto/wire/frame_codec.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/version.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace sla::wire {
namespace {

Frame notice(const std::string& text) {
    Frame frame;
    frame.mutable_notice()->set_text(text);
    return frame;
}

std::string header(std::uint32_t length) {
    std::string out;
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(length >> shift & 0xff);
    return out;
}

std::string next_text(FrameDecoder& decoder) {
    const auto message = decoder.next();
    if (!message) return "error: " + message.error().message;
    if (!*message) return "more needed";
    Frame frame;
    return frame.ParseFromArray((*message)->data(), static_cast<int>((*message)->size())) ? frame.notice().text()
                                                                                          : "unparsable";
}

TEST(FrameCodec, GivesBackAStreamHoweverItIsCutIntoPieces) {
    std::string stream;
    std::vector<std::string> texts;
    for (int i = 1; i < 60; ++i) {
        texts.push_back(std::string(static_cast<std::size_t>(i * i), static_cast<char>('a' + i % 26)));
        stream += encode_frame(notice(texts.back()));
    }
    std::mt19937_64 random(21);
    for (const std::size_t longest : {1, 3, 50, 5000, 1 << 20}) {
        FrameDecoder decoder;
        std::vector<std::string> out;
        for (std::size_t at = 0; at < stream.size();) {
            const std::size_t piece = std::min<std::size_t>(1 + random() % longest, stream.size() - at);
            decoder.feed(std::string_view(stream).substr(at, piece));
            at += piece;
            for (std::string text = next_text(decoder); text != "more needed"; text = next_text(decoder))
                out.push_back(text);
        }
        EXPECT_EQ(out, texts);
        EXPECT_EQ(decoder.pending_bytes(), 0U);
    }
}

TEST(FrameCodec, WaitsForTheRestOfAFrame) {
    const std::string frame = encode_frame(notice("hello"));
    FrameDecoder decoder;
    EXPECT_EQ(next_text(decoder), "more needed");
    decoder.feed(frame.substr(0, frame.size() - 1));
    EXPECT_EQ(next_text(decoder), "more needed");
    decoder.feed(frame.substr(frame.size() - 1));
    EXPECT_EQ(next_text(decoder), "hello");
}

TEST(FrameCodec, TakesTheLongestFrameAndNothingBeyond) {
    FrameDecoder decoder;
    decoder.feed(header(kMaxFrameBytes));
    decoder.feed(std::string(kMaxFrameBytes, 'x'));
    const auto message = decoder.next();
    ASSERT_TRUE(message.ok() && message->has_value());
    EXPECT_EQ((*message)->size(), kMaxFrameBytes);
    decoder.feed(header(kMaxFrameBytes + 1));
    EXPECT_FALSE(decoder.next().ok());
}

TEST(FrameCodec, EndsABrokenStreamForGood) {
    for (const std::uint32_t length : {0U, 0xffffffffU, static_cast<std::uint32_t>(kMaxFrameBytes + 1)}) {
        FrameDecoder decoder;
        decoder.feed(encode_frame(notice("before")) + header(length));
        EXPECT_EQ(next_text(decoder), "before");
        EXPECT_NE(next_text(decoder).find(std::to_string(length) + " bytes was announced"), std::string::npos);
        decoder.feed(encode_frame(notice("after")));
        EXPECT_NE(next_text(decoder).find("broken"), std::string::npos);
    }
}

TEST(FrameCodec, SurvivesGarbage) {
    std::mt19937_64 random(22);
    for (int round = 0; round < 2000; ++round) {
        FrameDecoder decoder;
        for (int piece = 0; piece < 5; ++piece) {
            std::string garbage(random() % 50, '\0');
            for (char& byte : garbage) byte = random() % 2 == 0 ? '\0' : static_cast<char>(random());
            decoder.feed(garbage);
            for (auto message = decoder.next(); message.ok() && message->has_value(); message = decoder.next()) {
                ASSERT_FALSE((*message)->empty());
            }
        }
    }
}

TEST(FrameCodecDeathTest, StopsAtAMessageOfOurOwnThatIsTooLong) {
    EXPECT_DEATH(encode_frame(notice(std::string(kMaxFrameBytes, 'x'))), "kMaxFrameBytes");
    EXPECT_DEATH(encode_frame(Frame()), "length > 0");
}

TEST(Version, IsOneOfThreeNumbers) {
    EXPECT_EQ(std::count(kProductVersion.begin(), kProductVersion.end(), '.'), 2);
}

}  // namespace
}  // namespace sla::wire
