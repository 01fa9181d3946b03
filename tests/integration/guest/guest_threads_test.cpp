// How threads end, and programs with more rights than who started them.
#include "tests/integration/guest/guest_fixture.h"

#include <unistd.h>

namespace sla {
namespace {

using GuestThreads = GuestFixture;
using GuestRights = GuestFixture;

TEST_F(GuestThreads, AProgramWhoseMainEndsByPthreadExitEndsWithItsLastThread) {
    SLA_SKIP_UNDER_SANITIZERS();
    for (const bool has_agent : {false, true}) {
        if (has_agent) {
            ASSERT_TRUE(agent_.start());
        }
        for (const std::vector<std::string>& words : {std::vector<std::string>{"main-exits"}, {"main-exits", "early"}}) {
            SCOPED_TRACE(words.back() + (has_agent ? " with an agent" : ""));
            auto program = run(words);
            const support::Exit end = program->wait();
            EXPECT_EQ(end.code, 0) << "signal " << end.signal << ": " << program->errors();
            EXPECT_EQ(program->output(), "last 1\n");
        }
    }
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(agent_.load()->events(), 201u);
}

// As in some containers: nobody says how many threads there are.
TEST_F(GuestThreads, AProgramWhoseMainEndsEndsWithItsLastThreadWithoutProcToo) {
    SLA_SKIP_UNDER_SANITIZERS();
    const auto without_proc = [&](const std::string& what) {
        return std::vector<std::string>{"/bin/sh", "-c",
                                        "exec unshare -Urm sh -c 'mount -t tmpfs none /proc && exec " + what + "'"};
    };
    support::Process probe(without_proc("true"));
    if (probe.wait().code != 0) GTEST_SKIP() << "no namespaces here: " << probe.errors();
    for (const bool has_agent : {false, true}) {
        if (has_agent) {
            ASSERT_TRUE(agent_.start());
        }
        for (const std::string words : {"main-exits", "main-exits early", "main-exits-before-sandbox", "leader-exits"}) {
            support::Process program(without_proc(SLA_GUEST " " + words), agent_.environment());
            const support::Exit end = program.wait(std::chrono::seconds(20));
            const int as_the_kernel_has_it = words == "leader-exits" && end.code == 9 ? 9 : 0;
            EXPECT_EQ(end.code, as_the_kernel_has_it) << words << ", signal " << end.signal << ": " << program.errors();
        }
    }
}

TEST_F(GuestThreads, AProgramWhoseFirstThreadEndsByTheSystemCallEndsWithItsLastThread) {
    SLA_SKIP_UNDER_SANITIZERS();
    for (const bool has_agent : {false, true}) {
        if (has_agent) {
            ASSERT_TRUE(agent_.start());
        }
        auto program = run({"leader-exits"});
        const support::Exit end = program->wait();
        EXPECT_EQ(end.code, 9) << "signal " << end.signal << ": " << program->errors();
    }
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(agent_.load()->events(), 101u);
}

TEST_F(GuestThreads, WithoutAKeyForThemNothingIsRecordedAndNobodysKeyIsTouched) {
    ASSERT_TRUE(agent_.start());
    auto environment = agent_.environment();
    environment["SLA_GUEST_NO_KEYS"] = "1";
    support::Process program({SLA_GUEST, "no-key"}, environment);
    expect_end(program, {});
    if (IsSkipped() || HasFailure()) return;
    EXPECT_EQ(agent_.load()->lost(), 100u);
}

TEST_F(GuestThreads, CountersGoWithTheThreadThatCounted) {
    SLA_SKIP_UNDER_SANITIZERS();
    ASSERT_TRUE(agent_.start());
    auto program = run({"count-threads"});
    EXPECT_EQ(program->wait().code, 0) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
}

TEST_F(GuestThreads, OneWithRealTimePriorityDoesNotKeepTheLibrarysFromItsCore) {
    SLA_SKIP_UNDER_SANITIZERS();
    auto program = run({"real-time"});
    const support::Exit end = program->wait();
    if (end.code == 77) GTEST_SKIP() << "skipped, because this user may not do that";
    EXPECT_EQ(end.code, 0) << program->errors();
}

TEST_F(GuestRights, WhoStartsAProgramThatMayMoreDoesNotChooseItsAgent) {
    SLA_SKIP_UNDER_SANITIZERS();
    const std::string other_user = "/usr/bin/setpriv";
    if (geteuid() != 0 || access(other_user.c_str(), X_OK) != 0) GTEST_SKIP() << "skipped: it takes root, and setpriv";
    using std::filesystem::perms;
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("sla-guest-rights-" + std::to_string(getpid()));
    const std::filesystem::path copy = folder / "guest";
    ASSERT_TRUE(std::filesystem::create_directory(folder));
    std::filesystem::permissions(folder, perms(0755));
    std::filesystem::copy_file(SLA_GUEST, copy);
    std::filesystem::permissions(copy, perms(04755));
    ASSERT_TRUE(agent_.start());
    support::Process program({other_user, "--reuid=65534", "--regid=65534", "--clear-groups", copy, "rights"},
                             agent_.environment());
    const support::Exit end = program.wait();
    std::filesystem::remove_all(folder);
    EXPECT_EQ(end.code, 0) << program.errors();
    ASSERT_EQ(agent_.stop(), 0);
    if (said(program, "more") == 0) GTEST_SKIP() << "skipped: programs get no more rights from files here";
    EXPECT_EQ(agent_.load()->events(), 0u);
}

}  // namespace
}  // namespace sla
