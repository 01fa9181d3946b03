#include "viewer/formats/table/people_table.h"

#include "viewer/formats/endings.h"

#include <gtest/gtest.h>

namespace sla::formats {
namespace {

TEST(PeopleTable, ALongTextLosesItsMiddleAndNoHalfCharacter) {
    EXPECT_EQ(shortened("net.rx", 6), "net.rx");
    EXPECT_EQ(shortened("net.rx.queue.12", 9), "net.\u2026e.12");
    EXPECT_EQ(cut_off("prev_comm=bash", 10), "prev_comm\u2026");
    EXPECT_EQ(cut_off("prev", 10), "prev");
    EXPECT_EQ(shortened("\u00b5\u00b5\u00b5\u00b5\u00b5\u00b5", 3), "\u00b5\u2026\u00b5");
}

TEST(PeopleTable, OnlyTextsGiveWayWhenALineIsTooLong) {
    PeopleTable table({"name", ">count"});
    table.add({std::string(200, 'a'), std::string(100, '1')});
    const std::string text = table.text();
    EXPECT_NE(text.find(std::string(100, '1')), std::string::npos) << "a number is whole or wrong";
    EXPECT_NE(text.find("aa\u2026aa"), std::string::npos) << text;
}

TEST(PeopleTable, IsAsWideAsItsFields) {
    PeopleTable table({"name", ">count"});
    table.add({"a", "1"});
    table.add({"longer", "123456"});
    EXPECT_EQ(table.text(), "name     count\na            1\nlonger  123456\n");
}

TEST(Endings, AreWhatANamePromises) {
    EXPECT_EQ(ending_of("a/b.json"), "json");
    EXPECT_EQ(ending_of("x.perfetto-trace"), "perfetto-trace");
    for (const char* name : {"plain", ".hidden", "a.b/c", "tmp.XkQ2b8sPq0", "run.12", "x.", "-"})
        EXPECT_EQ(ending_of(name), "") << name;
    EXPECT_TRUE(check_capture_name("x.sla").ok());
    EXPECT_TRUE(check_capture_name("x.old").ok());
    EXPECT_FALSE(check_capture_name("x.csv").ok());
}

}  // namespace
}  // namespace sla::formats
