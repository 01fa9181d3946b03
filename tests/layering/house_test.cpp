// The checks over the real source tree.
#include "tests/layering/checks.h"

#include <gtest/gtest.h>

#include <iostream>

namespace sla::layering {
namespace {

const SourceTree& house() {
    static const SourceTree kTree = read_tree(SLA_SOURCE_DIR);
    return kTree;
}

std::string lines(const Findings& findings) {
    std::string text;
    for (const std::string& finding : findings) text += "\n  " + finding;
    return text;
}

TEST(House, IsReadWhole) {
    EXPECT_GT(house().files.size(), 50u);
    EXPECT_GT(house().directories.size(), 10u);
}

TEST(House, IncludesFollowTheArrows) {
    const Findings findings = check_includes(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, LinksFollowTheArrows) {
    const Findings findings = check_links(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, RoomsFormNoCircle) {
    const Findings findings = check_circles(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, TopLevelEntriesAreTheFixedOnes) {
    const Findings findings = check_top_level(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, EveryRoomHasItsReadme) {
    const Findings findings = check_readmes(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, ReadmesSayWhoIncludesWhom) {
    const Findings findings = check_readme_arrows(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, UnitTestsAreNamedAfterTheirFolders) {
    const Findings findings = check_unit_names(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, NoFileNamesAPathOfOneMachine) {
    const Findings findings = check_machine_paths(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, CommentsNameFilesThatAreThere) {
    const Findings findings = check_named_files(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, ResultsOfBenchmarksStayAPageOfTables) {
    const Findings findings = check_results(house());
    EXPECT_TRUE(findings.empty()) << lines(findings);
}

TEST(House, FilesAndFunctionsStayShort) {
    const Findings look = lengths_worth_a_look(house());
    if (!look.empty()) std::cout << "Long, worth a look (files over 250 lines, functions over 40):" << lines(look) << "\n";
    const Findings findings = check_lengths(house());
    EXPECT_TRUE(findings.empty()) << "Too long (files over 450 lines, functions over 60):" << lines(findings);
}

}  // namespace
}  // namespace sla::layering
