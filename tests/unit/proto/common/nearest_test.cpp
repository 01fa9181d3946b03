#include "proto/common/nearest.h"

#include <gtest/gtest.h>

namespace sla::common {
namespace {

const std::vector<std::string> kKnown = {"table", "stats", "export", "import", "trigger", "set"};

TEST(Nearest, FindsAWordWithALetterWrongMissingTooManyOrSwapped) {
    EXPECT_EQ(nearest("tabla", kKnown), "table");
    EXPECT_EQ(nearest("tabe", kKnown), "table");
    EXPECT_EQ(nearest("statss", kKnown), "stats");
    EXPECT_EQ(nearest("tirgger", kKnown), "trigger");
    EXPECT_EQ(nearest("ste", kKnown), "set");
}

TEST(Nearest, TakesTheNearerOfTwo) {
    EXPECT_EQ(nearest("inport", kKnown), "import");
    EXPECT_EQ(nearest("exxport", kKnown), "export");
}

TEST(Nearest, CompletesABeginningThatOnlyOneHas) {
    EXPECT_EQ(nearest("trig", kKnown), "trigger");
    EXPECT_EQ(nearest("c", {"cut", "check"}), "");
}

TEST(Nearest, LeavesOtherWordsAlone) {
    EXPECT_EQ(nearest("frobnicate", kKnown), "");
    EXPECT_EQ(nearest("", kKnown), "");
    EXPECT_EQ(nearest("x", {"-q", "-v"}), "");
    EXPECT_EQ(nearest("table", {}), "");
}

TEST(Nearest, TakesNoNameForAnotherOfWhichOnlyTheFolderIsTheSame) {
    EXPECT_EQ(nearest("irq.0.isr", {"irq.0.ack"}), "");
    EXPECT_EQ(nearest("irq.0.irs", {"irq.0.ack", "irq.0.isr"}), "irq.0.isr");
    EXPECT_EQ(nearest("irg.0.isr", {"irq.0.isr"}), "irq.0.isr");
    EXPECT_EQ(nearest("port.pots", {"port.post"}), "port.post");
}

TEST(Nearest, HintsInASentence) {
    EXPECT_EQ(nearest_hint("tabel", kKnown), " (did you mean 'table'?)");
    EXPECT_EQ(nearest_hint("frobnicate", kKnown), "");
}

}  // namespace
}  // namespace sla::common
