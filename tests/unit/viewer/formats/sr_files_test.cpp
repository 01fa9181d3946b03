// Sigrok sessions of many channels, and of channels of one name.
#include "tests/unit/viewer/formats/round_trip.h"

#include <zip.h>

#include <utility>
#include <vector>

namespace sla::formats {
namespace {

class SrFiles : public RoundTrip {
protected:
    // A session of one sample at 1 kHz, which this metadata describes.
    [[nodiscard]] std::string session(const std::string& probes, const std::string& sample) const {
        const std::string metadata = "[device 1]\ncapturefile=logic-1\nsamplerate=1 kHz\n" + probes;
        const std::string path = file("made.sr");
        zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
        EXPECT_NE(zip, nullptr);
        const std::vector<std::pair<const char*, std::string>> files = {
            {"version", "2"}, {"metadata", metadata}, {"logic-1-1", sample}};
        for (const auto& [name, content] : files) {
            zip_source_t* source = zip_source_buffer_create(content.data(), content.size(), 0, nullptr);
            EXPECT_GE(zip_file_add(zip, name, source, ZIP_FL_OVERWRITE), 0);
        }
        EXPECT_EQ(zip_close(zip), 0);
        return path;
    }
};

TEST_F(SrFiles, ChannelsOfOneNameOfTwoProgramsStayTwo) {
    support::CaptureBuilder capture(0);
    const auto other = capture.source("other program");
    const auto mine = capture.channel("io.busy");
    const auto others = capture.channel("io.busy", other);
    const auto alone = capture.channel("alone");
    for (const auto& [channel, high] : {std::pair(mine, true), {others, false}, {alone, true}}) {
        capture.level(channel, 0, high);
        capture.level(channel, 1'000, !high);
    }
    store::Session whole;
    store::Session back;
    capture.fill(whole);
    there_and_back(whole, ExportFormat::kSr, back);
    EXPECT_EQ(back.lanes().size(), 3U);
    EXPECT_EQ(reported(back, "program.io.busy"), "level 1 @0\nlevel 0 @1000\n");
    EXPECT_EQ(reported(back, "other program.io.busy"), "level 0 @0\nlevel 1 @1000\n");
    EXPECT_EQ(reported(back, "alone"), "level 1 @0\nlevel 0 @1000\n");
}

TEST_F(SrFiles, APartWithoutEventsIsASampleOfWhatHoldsThere) {
    support::CaptureBuilder capture(0);
    const auto high = capture.channel("high");
    const auto low = capture.channel("low");
    capture.level(high, 1'000, true);
    capture.level(low, 1'000, false);
    store::Session whole;
    capture.fill(whole);
    analysis::Selection part = *analysis::select(whole, {});
    part.from = 500'000;
    ASSERT_TRUE(export_capture(whole, part, {ExportFormat::kSr, 1e9}, file("part.sr")).ok());
    store::Session back;
    take_in(file("part.sr"), back);
    EXPECT_EQ(reported(back, "high"), "level 1 @0\n");
    EXPECT_EQ(reported(back, "low"), "level 0 @0\n");
}

TEST_F(SrFiles, ProbesOfOneNameAreChannelsOfTheirOwn) {
    store::Session back;
    take_in(session("probe1=D\nprobe2=D\nprobe3=D#2\n", "\x02"), back);
    EXPECT_EQ(reported(back, "D"), "level 0 @0\n");
    EXPECT_EQ(reported(back, "D#2"), "level 1 @0\n");
    EXPECT_EQ(reported(back, "D#2#3"), "level 0 @0\n");
}

TEST_F(SrFiles, EveryChannelOfManyIsThereOrTheSessionIsRefused) {
    constexpr std::size_t kMany = 20'000;
    std::string probes;
    for (std::size_t i = 1; i <= kMany; ++i)
        probes += "probe" + std::to_string(i) + "=a channel with a long name " + std::to_string(i) + '\n';
    store::Session back;
    take_in(session(probes, std::string(kMany / 8, '\xff')), back);
    EXPECT_EQ(back.lanes().size(), kMany);
    const auto refused =
        import_file(session("probe1=a\nprobe65537=b\n", std::string(8193, '\0')), ImportFormat::kSr, file("imported.sla"));
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("more than 65536 channels"), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace sla::formats
