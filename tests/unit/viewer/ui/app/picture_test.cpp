#include "viewer/ui/app/picture.h"

#include "tests/support/picture_difference.h"
#include "tests/support/sample_capture.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {
namespace {

TEST(Picture, IsWrittenAndSaysWhatWentWrong) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / ("sla-picture-test-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    support::CaptureBuilder capture(1'000'000, 2.7e9);
    support::add_few(capture);
    capture.write((folder / "few.sla").string());
    PictureOptions options;
    options.target = (folder / "few.sla").string();
    options.png = (folder / "few.png").string();
    options.table_file = (folder / "few.csv").string();
    const Result<void> rendered = render_to_png(options);
    ASSERT_TRUE(rendered.ok()) << rendered.error().message;
    EXPECT_GT(std::filesystem::file_size(options.png), 10'000u);
    std::ifstream table(options.table_file);
    std::string head;
    std::getline(table, head);
    EXPECT_EQ(head, "index,tick,time_ns,source,thread,channel,kind,value,text,delta_any_ns,delta_channel_ns,error_ns");

    options.target = (folder / "missing.sla").string();
    options.table_file.clear();
    EXPECT_FALSE(render_to_png(options).ok());
    options.target = "tcp:nonsense";
    EXPECT_FALSE(render_to_png(options).ok());
    options.target = (folder / "few.sla").string();
    options.focus = "no.such";
    EXPECT_FALSE(render_to_png(options).ok());
    options.focus.clear();
    options.channels = {"no.such"};
    EXPECT_FALSE(render_to_png(options).ok());
    std::filesystem::remove_all(folder);
}

// Of many lanes the wanted ones fill the picture: what is drawn does not depend on the others.
TEST(Picture, ShowsTheLanesThatAreAskedFor) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / ("sla-picture-of-lanes-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    support::CaptureBuilder capture(0);
    for (int i = 0; i < 30; ++i) {
        const auto channel = capture.channel("lane." + std::to_string(i));
        for (std::uint64_t tick = 0; tick < 50; ++tick) capture.tick(channel, 1000 + 20 * tick + static_cast<unsigned>(i));
    }
    capture.write((folder / "many.sla").string());
    const auto picture_of = [&](std::vector<std::string> channels, bool has_table) {
        PictureOptions options;
        options.target = (folder / "many.sla").string();
        options.png = (folder / "many.png").string();
        options.channels = std::move(channels);
        options.inspector = options.table = has_table;
        const Result<void> rendered = render_to_png(options);
        EXPECT_TRUE(rendered.ok()) << rendered.error().message;
        return support::read_png(options.png);
    };
    const Pixels two = picture_of({"lane.28", "lane.29"}, true);
    ASSERT_GT(two.width, 0);
    // In parts of a hundred. What a frame took stands in the picture, too: some digits.
    const auto apart = [&](const Pixels& other) {
        const support::PictureDifference found = support::difference(two, other);
        return 100 * static_cast<double>(found.tiles_apart) / static_cast<double>(found.tiles);
    };
    EXPECT_GT(apart(picture_of({}, true)), 2);
    EXPECT_LT(apart(picture_of({"lane.2[89]"}, true)), 0.5);
    EXPECT_GT(apart(picture_of({"lane.2[89]"}, false)), 2);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sla::ui
