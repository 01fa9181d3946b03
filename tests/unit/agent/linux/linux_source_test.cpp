// The source from its descriptors to rows: pages as packets of a pipe, the kernel's counts as a file.
#include "agent/linux/linux_source.h"

#include "tests/unit/agent/linux/page_builder.h"
#include "tests/unit/agent/linux/recording_lanes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <string>

namespace sla::linux {
namespace {

constexpr std::uint64_t kSteppedAt = 10'000'000'000;
constexpr const char* kSysEnterFormat =
    "name: sys_enter\nID: 20\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
    "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
    "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: \"NR %ld\", REC->id\n";

UniqueFd file_with(const std::string& text) {
    UniqueFd file(::memfd_create("sla-test", MFD_CLOEXEC));
    EXPECT_EQ(::pwrite(file.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    return file;
}

class LinuxSourceTest : public testing::Test {
protected:
    LinuxSourceTest() {
        int ends[2] = {-1, -1};
        EXPECT_EQ(::pipe2(ends, O_DIRECT | O_NONBLOCK | O_CLOEXEC), 0);
        kernel_ = UniqueFd(ends[1]);
        EXPECT_GT(::fcntl(kernel_.get(), F_SETPIPE_SZ, 64 * 4096), 0);
        opened_.page_bytes = 32 * 1024;  // one is read at a time
        opened_.running = file_with("");
        opened_.events.push_back({"raw_syscalls", kSysEnterFormat, "", ProbeEdge::kTick});
        opened_.cpus.emplace_back();
        opened_.cpus.back().pages = UniqueFd(ends[0]);
        opened_.cpus.back().stats = file_with("entries: 0\noverrun: 0\ncommit overrun: 0\ndropped events: 0\n");
    }
    void say_overrun(const std::string& count) {
        opened_.cpus.back().stats =
            file_with("entries: 0\noverrun: " + count + "\ncommit overrun: 0\nbytes: 0\ndropped events: 0\n");
    }
    // A page with one event; `lost` as PageBuilder has it.
    void write_page(std::uint64_t tick, std::int64_t lost = 0) {
        const auto page = PageBuilder(tick).event(0, event_data(20, 1, std::int64_t{110}, std::uint64_t{3})).bytes(lost);
        ASSERT_EQ(::write(kernel_.get(), page.data(), page.size()), static_cast<ssize_t>(page.size()));
    }
    std::uint64_t counted_lost() {
        std::uint64_t lost = 0;
        for (const auto& row : sink_.rows) lost += row.code == SLA_CODE_GAP ? static_cast<std::uint64_t>(row.value) : 0;
        return lost;
    }

    UniqueFd kernel_;
    OpenedTrace opened_;
    RecordingLanes sink_;
};

TEST_F(LinuxSourceTest, LossesWithoutANumberAreCountedAtTheEndHoweverManyStepsItTakes) {
    say_overrun("100");
    for (std::uint64_t i = 0; i < 40; i++) write_page(1000 + i, i == 3 ? -1 : 0);  // more than one step reads
    auto source = LinuxSource::start(std::move(opened_), sink_);
    ASSERT_TRUE(source) << source.error().message;
    (*source)->stop();
    std::size_t taken = 0;
    std::size_t steps = 0;
    bool more = true;
    while (more) {
        const LinuxSource::Step step = (*source)->step(kSteppedAt + steps++);
        taken += step.taken;
        more = step.pressed;
    }
    EXPECT_GT(steps, 1u);
    EXPECT_EQ(taken, 40u);
    EXPECT_EQ(counted_lost(), 100u);
}

TEST_F(LinuxSourceTest, AnEventWhoseFormatCannotBeReadIsLeftOutAndSaidTheOthersCome) {
    opened_.events.push_back({"odd", "no format at all", "", ProbeEdge::kTick});
    write_page(1000);
    auto source = LinuxSource::start(std::move(opened_), sink_);
    ASSERT_TRUE(source) << source.error().message;
    ASSERT_EQ(sink_.notices.size(), 1u);
    EXPECT_NE(sink_.notices[0].find("left out: an event of odd"), std::string::npos) << sink_.notices[0];
    EXPECT_EQ((*source)->step(kSteppedAt).taken, 1u);
}

TEST_F(LinuxSourceTest, ATraceThatCannotBeSwitchedOnIsNone) {
    opened_.running = UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const auto source = LinuxSource::start(std::move(opened_), sink_);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code, ErrorCode::kUnavailable);
    EXPECT_NE(source.error().message.find("cannot be switched on"), std::string::npos) << source.error().message;
}

}  // namespace
}  // namespace sla::linux
