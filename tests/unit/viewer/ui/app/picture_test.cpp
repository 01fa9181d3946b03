#include "viewer/ui/app/picture.h"

#include "tests/support/sample_capture.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sla::ui
