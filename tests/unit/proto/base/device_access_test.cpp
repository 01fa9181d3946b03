#include "proto/base/device_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sla {
namespace {

using ::testing::HasSubstr;

TEST(DeviceAccess, NamesTheGroupThatMayOrThatNobodyButRootMay) {
    EXPECT_EQ(device_access_hint("/dev/kvm", 0660, "kvm"), "join the group kvm (usermod -aG kvm USER, then log in again)");
    EXPECT_THAT(device_access_hint("/dev/kvm", 0660, "virt"), HasSubstr("usermod -aG virt USER"));
    EXPECT_THAT(device_access_hint("/dev/kvm", 0600, "kvm"), HasSubstr("only root may open it here"));
    EXPECT_THAT(device_access_hint("/dev/kvm", 0640, "kvm"), HasSubstr("only root may open it here"));
    EXPECT_THAT(device_access_hint("/dev/kvm", 0660, "root"), HasSubstr("chgrp GROUP /dev/kvm; chmod 660 /dev/kvm"));
}

TEST(DeviceAccess, LooksAtTheFileItself) {
    EXPECT_THAT(device_access_hint("/dev/null"), HasSubstr("chgrp GROUP /dev/null")) << "of root's group, however open";
    EXPECT_THAT(device_access_hint("/nowhere/at/all"), HasSubstr("only root may open it here"));
}

}  // namespace
}  // namespace sla
