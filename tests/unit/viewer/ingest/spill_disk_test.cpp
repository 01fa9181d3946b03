// What becomes of pages when the disk is full, missing, or the program is killed.
#include "tests/unit/viewer/ingest/same_answers.h"
#include "tests/unit/viewer/ingest/spill_fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace sla::ingest {
namespace {

// Files of this process may be no larger; the writer gets an error.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, SIG_DFL);
    }

private:
    rlimit before_{};
};

TEST_F(SpillTest, AFullDiskStopsTheIntakeAndLosesNothing) {
    Small small(directory_);
    Session whole;
    FrameApplier applier(whole);
    std::vector<std::string> waiting;
    {
        const SmallDisk disk(50'000);
        make_random_stream({[&](const std::string& frame) {
                               if (!waiting.empty() || small.is_stalled()) {
                                   waiting.push_back(frame);
                               } else {
                                   small.take(frame);
                               }
                               applier.apply(std::string_view(frame));
                           }},
                           8, 300);
        ASSERT_FALSE(waiting.empty());
        EXPECT_TRUE(small.spill.is_full());
        EXPECT_NE(small.spill.report().failure.find("File too large"), std::string::npos) << small.spill.report().failure;
        EXPECT_LT(small.most, kLittle + 300'000);
    }
    for (const std::string& frame : waiting) small.take(frame);  // there is space again: it goes on by itself
    EXPECT_TRUE(small.spill.report().failure.empty());
    expect_same_rows(small.session, whole);
}

TEST_F(SpillTest, ADirectoryThatIsNotThereIsSaid) {
    Small small(directory_ / "nowhere");
    make_random_stream({[&](const std::string& frame) {
                           if (!small.spill.is_full()) small.applier.apply(std::string_view(frame));
                       }},
                       9, 300);
    EXPECT_TRUE(small.spill.is_full());
    const auto until = std::chrono::steady_clock::now() + kTimeout;
    while (small.spill.report().failure.empty() && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    EXPECT_NE(small.spill.report().failure.find("nowhere"), std::string::npos);
}

TEST_F(SpillTest, NothingIsLeftOfAProgramThatWasKilled) {
    int answers[2];
    ASSERT_EQ(pipe(answers), 0);
    const pid_t child = fork();
    if (child == 0) {
        Small small(directory_);
        make_random_stream({[&](const std::string& frame) { small.take(frame); }}, 10, 300);
        const bool spilled = small.spill.report().disk_bytes > 0;
        static_cast<void>(write(answers[1], spilled ? "y" : "n", 1));
        pause();
    }
    char answer = 0;
    ASSERT_EQ(read(answers[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_TRUE(std::filesystem::is_empty(directory_));
    close(answers[0]);
    close(answers[1]);
}

}  // namespace
}  // namespace sla::ingest
