#include "viewer/process/child.h"

#include "tests/support/with_directory.h"

#include <csignal>

namespace sla::process {
namespace {

using std::chrono::milliseconds;

class ChildTest : public support::WithDirectory {
protected:
    static Ending end_of(Child& child) {
        std::optional<Ending> ending;
        while (!ending) ending = child.wait(milliseconds(1000));
        return *ending;
    }
};

TEST_F(ChildTest, ItsExitCodeComesBack) {
    auto child = Child::start({{"sh", "-c", "exit 7"}, {}, "", false});
    ASSERT_TRUE(child.ok());
    const Ending ending = end_of(*child);
    EXPECT_EQ(ending.code, 7);
    EXPECT_EQ(ending.text(), "exited with code 7");
}

TEST_F(ChildTest, ASignalThatEndedItIsNamed) {
    auto child = Child::start({{"sleep", "100"}, {}, "", true, true});
    ASSERT_TRUE(child.ok());
    child->signal(SIGKILL);
    EXPECT_EQ(end_of(*child).text(), "was ended by signal 9 (Killed)");
}

TEST_F(ChildTest, GetsItsEnvironmentAndWritesIntoItsFile) {
    auto child = Child::start(
        {{"sh", "-c", "echo $SLA_RUNTIME_DIR; echo trouble >&2"}, {{"SLA_RUNTIME_DIR", "here"}}, file("log"), false});
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(end_of(*child).code, 0);
    EXPECT_EQ(content(file("log")), "here\ntrouble\n");
}

TEST_F(ChildTest, ItsEnvironmentStandsInPlaceOfOurs) {
    setenv("SLA_CHILD_TEST", "ours", 1);
    auto child = Child::start({{"sh", "-c", "env | grep -c SLA_CHILD_TEST; echo $SLA_CHILD_TEST $HOME"},
                               {{"SLA_CHILD_TEST", "its"}, {"HOME", "there"}},
                               file("log"),
                               false});
    unsetenv("SLA_CHILD_TEST");
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(end_of(*child).code, 0);
    EXPECT_EQ(content(file("log")), "1\nits there\n");
}

TEST_F(ChildTest, WithoutInputItReadsNothing) {
    ChildOptions options;
    options.argv = {"cat"};
    options.output = file("log");
    options.no_input = true;
    auto child = Child::start(options);
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(end_of(*child).code, 0);
    EXPECT_EQ(content(file("log")), "");
}

TEST_F(ChildTest, AProgramThatIsNotThereIsAnErrorWithItsName) {
    const auto child = Child::start({{"/no/such/program"}, {}, "", false});
    ASSERT_FALSE(child.ok());
    EXPECT_NE(child.error().message.find("/no/such/program"), std::string::npos);
}

TEST_F(ChildTest, OneThatStillRunsGoesWithItsOwner) {
    pid_t pid = -1;
    {
        auto child = Child::start({{"sleep", "100"}, {}, "", false});
        ASSERT_TRUE(child.ok());
        pid = child->pid();
        EXPECT_FALSE(child->wait(milliseconds(1)));
    }
    EXPECT_EQ(kill(pid, 0), -1);
}

}  // namespace
}  // namespace sla::process
