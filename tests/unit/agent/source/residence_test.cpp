#include "agent/source/residence.h"

#include "tests/support/temporary_path.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sla::source {
namespace {

constexpr const char* kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

class ResidenceTest : public testing::Test {
protected:
    ResidenceTest() {
        add("self", "pid:[1]", "");
        add("500", "pid:[1]", "0::/user.slice\n");
        add("600", "pid:[2]", "0::/system.slice/docker-" + std::string(kId) + ".scope\n");
    }
    void add(const std::string& pid, const std::string& space, const std::string& cgroup) {
        std::filesystem::create_directories(proc_.path / pid / "ns");
        std::filesystem::create_symlink(space, proc_.path / pid / "ns" / "pid");
        std::ofstream(proc_.path / pid / "cgroup") << cgroup;
    }
    Residence look_up(pid_t pid, std::uint32_t own) { return look_up_residence(pid, own, proc_.path.string()); }

    support::TemporaryPath proc_{"residence_test"};
};

TEST_F(ResidenceTest, AProgramBesideTheAgentNeedsNoWords) {
    EXPECT_EQ(look_up(500, 500).text(), "");
    EXPECT_EQ(look_up(999, 999).text(), "") << "it has ended by now";
}

TEST_F(ResidenceTest, AContainerIsNamedWithBothPids) {
    const Residence residence = look_up(600, 7);
    EXPECT_EQ(residence.text(), "docker-0123456789ab, pid 7 there, 600 here");
    EXPECT_EQ(residence.cgroup, "/system.slice/docker-" + std::string(kId) + ".scope");
    EXPECT_TRUE(look_up(600, 600).is_elsewhere) << "the pids are the same by chance only";
}

TEST_F(ResidenceTest, AProgramOutsideOfTheAgentsPidNamespaceHasNoPidHere) {
    EXPECT_EQ(look_up(0, 7).text(), "another pid namespace, pid 7 there");
}

TEST(CgroupPath, IsTheUnifiedHierarchysOrTheLongest) {
    EXPECT_EQ(cgroup_path("0::/a/b\n"), "/a/b");
    EXPECT_EQ(cgroup_path("9:name=systemd:/\n4:memory:/lxc/box\n0::/\n"), "/lxc/box");
    EXPECT_EQ(cgroup_path("4:memory:/longer/than/that\n0::/a\n"), "/a");
    EXPECT_EQ(cgroup_path(""), "");
    EXPECT_EQ(cgroup_path("nonsense\n:\n"), "");
}

TEST(ContainerName, IsWhatContainerToolsShow) {
    EXPECT_EQ(container_name("/docker/" + std::string(kId)), "0123456789ab");
    EXPECT_EQ(container_name("/kubepods/pod1/cri-containerd-" + std::string(kId) + ".scope"), "cri-containerd-0123456789ab");
    EXPECT_EQ(container_name("/lxc/deadbeef"), "deadbeef") << "too short for an id";
    EXPECT_EQ(container_name("/"), "");
    EXPECT_EQ(container_name(""), "");
}

}  // namespace
}  // namespace sla::source
