// What a manifest says comes back; what makes no sense is refused.
#include "viewer/archive/manifest.h"

#include <gtest/gtest.h>

namespace sla::archive {
namespace {

Manifest two_parts() {
    Manifest manifest{
        "alpha", "18f2a", 301, 450, 7, {}, {{9, "not finished"}}, Taken{33, {{ChannelId{3}, 12}, {ChannelId{40}, 18}}}};
    manifest.parts.push_back({"date=2026-11-25/host=alpha/capture=18f2a/part-1.parquet", 10, 3, 1, 100, 5, 6, 1000});
    manifest.parts.push_back({"date=2026-11-26/host=alpha/capture=18f2a/part-101.parquet", 20, 0, 101, 300, 7, 8, 2000});
    return manifest;
}

std::string with(const std::string& what, const std::string& instead) {
    std::string text = two_parts().json();
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), instead);
}

TEST(Manifest, ComesBackFromItsJson) {
    const auto back = parse_manifest(two_parts().json());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, two_parts());
    EXPECT_EQ(back->rows(), 30u);
}

// Versions before do not know "taken", "known_tick", "begin_tick" and "damage"; those behind may say what this one does not know.
TEST(Manifest, OfOtherVersionsIsReadAsFarAsItIsUnderstood) {
    Manifest before = two_parts();
    before.taken.reset();
    before.known_tick = before.begin_tick = 0;
    before.damage.clear();
    const auto old = parse_manifest(before.json());
    ASSERT_TRUE(old.ok()) << old.error().message;
    EXPECT_EQ(*old, before);
    EXPECT_EQ(old->lost(), 3u);
    const auto later = parse_manifest(with("\"version\": 1", "\"of_later\": {\"x\": [1]}, \"version\": 1"));
    ASSERT_TRUE(later.ok()) << later.error().message;
    EXPECT_EQ(*later, two_parts());
}

TEST(Manifest, ThatIsNotThereIsEmpty) {
    const auto none = read_manifest("/nowhere/at/all.json");
    ASSERT_TRUE(none.ok());
    EXPECT_TRUE(none->parts.empty());
    EXPECT_EQ(none->until_tick, 0u);
}

TEST(Manifest, RefusesWhatMakesNoSense) {
    EXPECT_FALSE(parse_manifest("").ok());
    EXPECT_FALSE(parse_manifest("[]").ok());
    EXPECT_FALSE(parse_manifest(std::string(100'000, '[')).ok());
    EXPECT_FALSE(parse_manifest(with("\"version\": 1", "\"version\": 2")).ok());
    EXPECT_FALSE(parse_manifest(with("\"rows\": 10", "\"rows\": \"many\"")).ok());
    EXPECT_FALSE(parse_manifest(with("\"first_tick\": 101", "\"first_tick\": 100")).ok()) << "parts over one another";
    EXPECT_FALSE(parse_manifest(with("\"until_tick\": 301", "\"until_tick\": 300")).ok()) << "the next one over the last";
    EXPECT_FALSE(parse_manifest(with("\"last_tick\": 300", "\"last_tick\": 18446744073709551615")).ok());
    EXPECT_FALSE(parse_manifest(with("\"events\": 33", "\"events\": -1")).ok());
    for (const char* channel : {"", "x", "3x", "-3", " 3", "4294967296"})
        EXPECT_FALSE(parse_manifest(with("\"3\": 12", "\"" + std::string(channel) + "\": 12")).ok()) << channel;
    EXPECT_FALSE(parse_manifest(with("\"3\": 12", "\"3\": 1.5")).ok());
    EXPECT_FALSE(parse_manifest(with("\"next\": {", "\"nothing\": {")).ok());
    const std::string whole = two_parts().json();
    for (std::size_t size = 0; size + 2 < whole.size(); ++size)
        EXPECT_FALSE(parse_manifest(whole.substr(0, size)).ok()) << size;
}

TEST(Manifest, RefusesNumbersThatAreNotWholeOrTooLarge) {
    for (const char* number : {"1.7e26", "1e3", "10.0", "-1", "18446744073709551616", "true", "null"})
        EXPECT_FALSE(parse_manifest(with("\"rows\": 10", std::string("\"rows\": ") + number)).ok()) << number;
    for (const char* number : {"1.7e26", "9223372036854775808", "-9223372036854775809"})
        EXPECT_FALSE(parse_manifest(with("\"last_utc_ns\": 8", std::string("\"last_utc_ns\": ") + number)).ok()) << number;
    EXPECT_FALSE(parse_manifest(with("\"version\": 1", "\"version\": 1e300")).ok());
    EXPECT_TRUE(parse_manifest(with("\"last_utc_ns\": 8", "\"last_utc_ns\": -8")).ok());
}

}  // namespace
}  // namespace sla::archive
