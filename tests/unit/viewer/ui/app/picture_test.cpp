#include "viewer/ui/app/picture.h"

#include "tests/support/picture_difference.h"
#include "tests/support/sample_capture.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
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
    options.channels.clear();
    options.width = 640;
    options.height = 300;
    options.scale = 2;
    const Result<void> small = render_to_png(options);
    ASSERT_FALSE(small.ok());
    EXPECT_EQ(small.error().message, "640x300 pixels have no space for a lane at scale 2: 640x320 are the least");
    options.height = 320;
    EXPECT_TRUE(render_to_png(options).ok());
    std::filesystem::remove_all(folder);
}

// It takes connections and says nothing, as over a link that is slow.
TEST(Picture, OfAnAgentThatDoesNotAnswerIsAFailure) {
    const std::string path = testing::TempDir() + "sla-mute-" + std::to_string(getpid()) + ".sock";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path.size(), sizeof address.sun_path);
    path.copy(address.sun_path, path.size());
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(listener, 4), 0);
    PictureOptions options;
    options.target = "unix:" + path;
    options.frames = 2;
    options.wait_seconds = 0.5;
    const auto begin = std::chrono::steady_clock::now();
    const Result<void> rendered = render_to_png(options);
    ASSERT_FALSE(rendered.ok());
    EXPECT_NE(rendered.error().message.find("has not answered"), std::string::npos) << rendered.error().message;
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(500)) << "it was given its time";
    close(listener);
    unlink(path.c_str());
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose shadow is address space as well
// The library that draws would end the program.
TEST(Picture, WithTooLittleMemoryToDrawItSaysSo) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    const rlimit little{rlim_t{300} << 20, before.rlim_max};
    PictureOptions options;
    options.target = "run.sla";
    options.png = "run.png";
    ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
    const Result<void> rendered = render_to_png(options);
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
    ASSERT_FALSE(rendered.ok());
    EXPECT_NE(rendered.error().message.find("300 MiB of address space are too few"), std::string::npos)
        << rendered.error().message;
}
#endif

// What it took to draw it is not in it.
TEST(Picture, OfOneCaptureIsTheSameBytesEveryTime) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / ("sla-picture-twice-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    support::CaptureBuilder capture(1'000'000, 2.7e9);
    support::add_few(capture);
    capture.write((folder / "few.sla").string());
    PictureOptions options;
    options.target = (folder / "few.sla").string();
    options.width = 900;
    options.height = 500;
    const auto bytes = [&](const char* name) {
        options.png = (folder / name).string();
        const Result<void> rendered = render_to_png(options);
        EXPECT_TRUE(rendered.ok()) << rendered.error().message;
        std::ifstream in(options.png, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const std::string first = bytes("first.png");
    EXPECT_GT(first.size(), 1000u);
    for (const char* name : {"second.png", "third.png", "fourth.png"}) EXPECT_EQ(first == bytes(name), true) << name;
    const Pixels picture = support::read_png((folder / "first.png").string());
    const auto colour = [&](int x, int y) {
        const std::uint8_t* at = &picture.rgba[4 * static_cast<std::size_t>(y * picture.width + x)];
        return at[0] << 16 | at[1] << 8 | at[2];
    };
    std::set<int> colours;  // where the window shows it
    for (int x = 800; x < 890; ++x) colours.insert(colour(x, 490));
    EXPECT_EQ(colours.size(), 1u);
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
    // In parts of a hundred.
    const auto apart = [&](const Pixels& other) {
        const support::PictureDifference found = support::difference(two, other);
        return 100 * static_cast<double>(found.tiles_apart) / static_cast<double>(found.tiles);
    };
    EXPECT_GT(apart(picture_of({}, true)), 2);
    EXPECT_EQ(apart(picture_of({"lane.2[89]"}, true)), 0);
    EXPECT_GT(apart(picture_of({"lane.2[89]"}, false)), 2);
    std::filesystem::remove_all(folder);
}

// They come over many frames: what is chosen is chosen of all, and the strip above is of all. The last two thirds of the time
// are quiet.
TEST(Picture, OfThousandsOfLanesWaitsUntilAllHaveTheirPlaces) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / ("sla-picture-of-thousands-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    support::CaptureBuilder capture(0);
    constexpr unsigned kLanes = 9000;
    std::vector<std::uint32_t> lanes;
    for (unsigned i = 0; i < kLanes; ++i) lanes.push_back(capture.channel("lane." + std::to_string(i)));
    for (unsigned at = 0; at < 4 * kLanes; ++at) capture.value(lanes[at % kLanes], 1000 + at, at / kLanes % 2);
    capture.tick(capture.channel("wanted"), 12 * kLanes);
    capture.write((folder / "thousands.sla").string());
    PictureOptions options;
    options.target = (folder / "thousands.sla").string();
    options.png = (folder / "thousands.png").string();
    options.inspector = options.table = false;
    options.channels = {"wanted"};
    const Result<void> rendered = render_to_png(options);
    ASSERT_TRUE(rendered.ok()) << rendered.error().message;
    const Pixels picture = support::read_png(options.png);
    ASSERT_EQ(picture.height, 720);
    const auto colour = [&](int x, int y) {
        const std::uint8_t* at = &picture.rgba[4 * static_cast<std::size_t>(y * picture.width + x)];
        return at[0] << 16 | at[1] << 8 | at[2];
    };
    int other_than_above = 0;  // below the one lane
    for (int y = 301; y < 650; ++y) {
        for (int x = 0; x < 1260; ++x) other_than_above += colour(x, y) != colour(x, 300) ? 1 : 0;
    }
    EXPECT_EQ(other_than_above, 0);
    int hatched = 0;
    for (int x = 800; x < 1200; ++x) hatched += colour(x, 56) != colour(800, 56) ? 1 : 0;
    EXPECT_EQ(hatched, 0);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sla::ui
