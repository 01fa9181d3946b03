// The checks themselves: each finds what it is there to find, and lets good code pass.
#include "tests/layering/checks.h"
#include "tests/layering/functions.h"
#include "tests/layering/source_text.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace sla::layering {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SourceTree tree_of(std::vector<SourceFile> files) {
    SourceTree tree;
    tree.files = std::move(files);
    return tree;
}

std::string function_of_lines(const std::string& head, int lines) {
    std::string text = head + " {\n";
    for (int i = 2; i < lines; ++i) text += "    work();\n";
    return text + "}\n";
}

TEST(ResultsCheck, RefusesADiaryAndRowsThatLackACell) {
    const std::string head =
        "# Results\n\n| what | target | value | machine | date | command |\n|---|---|---|---|---|---|\n";
    EXPECT_THAT(check_results(tree_of({{"tests/bench/RESULTS.md", head + "| a | 1 | **1** | M1 | 11-25 | `run` |\n"}})),
                IsEmpty());
    EXPECT_THAT(check_results(tree_of({{"tests/bench/RESULTS.md", head + "| a | 1 | **1** | M1 11-25 | `run` |\n"}})),
                ElementsAre(HasSubstr("RESULTS.md:5: no row of six cells")));
    std::string diary = head;
    for (int day = 0; day < 30; ++day) diary += "On this day it was faster.\n";
    EXPECT_THAT(check_results(tree_of({{"tests/bench/RESULTS.md", diary}})),
                ElementsAre(HasSubstr("30 lines beside its tables")));
    EXPECT_THAT(check_results(tree_of({{"agent/README.md", diary + "| two | cells |\n"}})), IsEmpty());
}

TEST(IncludeCheck, RefusesAViewerThatIncludesTheAgent) {
    const auto findings = check_includes(
        tree_of({{"agent/drain/run.h", ""}, {"viewer/store/lane.h", "#pragma once\n#include \"agent/drain/run.h\"\n"}}));
    EXPECT_THAT(findings, ElementsAre(HasSubstr("viewer/store/lane.h:2: viewer/store may not include agent/drain")));
}

TEST(IncludeCheck, RefusesAnArrowAgainstTheRow) {
    const auto findings = check_includes(
        tree_of({{"viewer/ui/app/window.h", ""}, {"viewer/store/lane.cpp", "#include \"viewer/ui/app/window.h\"\n"}}));
    EXPECT_THAT(findings, ElementsAre(HasSubstr("may not include viewer/ui/app")));
}

TEST(IncludeCheck, KeepsThePanelsOfTheWindowApart) {
    const auto findings =
        check_includes(tree_of({{"viewer/ui/timeline/ruler.h", "#include \"viewer/workspace/view/view.h\"\n"},
                                {"viewer/ui/tables/grid.cpp", "#include \"viewer/ui/timeline/ruler.h\"\n"},
                                {"viewer/workspace/view/view.h", "#include <imgui.h>\n"}}));
    EXPECT_THAT(findings, ElementsAre(HasSubstr("viewer/ui/tables may not include viewer/ui/timeline"),
                                      HasSubstr("lives in viewer/ui only")));
}

TEST(IncludeCheck, KeepsTheRoomsOfTheEmulatedPcInOrder) {
    const auto with = [](const char* path, const char* header) {
        return check_includes(tree_of({{header, ""}, {path, std::string("#include \"") + header + "\"\n"}}));
    };
    EXPECT_THAT(with("emu/device/pic.h", "emu/machine/machine.h"),
                ElementsAre(HasSubstr("emu/device may not include emu/machine")));
    EXPECT_THAT(with("emu/cpu/unicorn/cpu.cpp", "emu/device/pic.h"),
                ElementsAre(HasSubstr("emu/cpu may not include emu/device")));
    EXPECT_THAT(with("emu/machine/machine.h", "emu/tap/tap.h"),
                ElementsAre(HasSubstr("emu/machine may not include emu/tap")));
    EXPECT_THAT(with("emu/vmm/vmm.h", "emu/device/pic.h"), IsEmpty());
}

TEST(IncludeCheck, KnowsARoomWithinARoom) {
    const std::vector<SourceFile> files = {{"proto/common/command_line.h", ""}, {"proto/time/duration.h", ""}};
    const auto with = [&files](const char* path, const char* header) {
        auto all = files;
        all.push_back({path, std::string("#include \"") + header + "\"\n"});
        return check_includes(tree_of(std::move(all)));
    };
    EXPECT_THAT(with("proto/common/clock/skew.cpp", "proto/time/duration.h"), IsEmpty());
    EXPECT_THAT(with("proto/common/clock/skew.cpp", "proto/common/command_line.h"),
                ElementsAre(HasSubstr("proto/common/clock may not include proto/common")));
    EXPECT_THAT(with("proto/common/messages.cpp", "proto/time/duration.h"),
                ElementsAre(HasSubstr("proto/common may not include proto/time")));
}

TEST(IncludeCheck, KeepsFormatsApartButForTheCatalog) {
    const auto with = [](const char* path) {
        return check_includes(
            tree_of({{"viewer/formats/vcd/vcd.h", ""},
                     {"viewer/formats/output.h", ""},
                     {path, "#include \"viewer/formats/output.h\"\n#include \"viewer/formats/vcd/vcd.h\"\n"}}));
    };
    EXPECT_THAT(with("viewer/formats/catalog/export.cpp"), IsEmpty());
    EXPECT_THAT(with("viewer/cli/commands/export.cpp"), IsEmpty());
    EXPECT_THAT(with("viewer/formats/sr/sr.cpp"),
                ElementsAre(HasSubstr("viewer/formats/sr may not include viewer/formats/vcd")));
}

TEST(IncludeCheck, LetsTheDrawnArrowsPass) {
    EXPECT_THAT(
        check_includes(tree_of({{"proto/base/result.h", "#include <string>\n"},
                                {"proto/wire/capture.proto", ""},
                                {"viewer/ingest/client.h",
                                 "#include \"proto/base/result.h\"\n"
                                 "#include \"proto/wire/capture.pb.h\"\n"
                                 "#include <boost/asio.hpp>\n"},
                                {"viewer/ui/app/window.cpp", "#include \"viewer/ingest/client.h\"\n#include <imgui.h>\n"},
                                {"emu/tap/tap.cpp", "#include <sla/marker.h>\n"}})),
        IsEmpty());
}

TEST(IncludeCheck, KeepsLibrariesInTheirRooms) {
    const auto findings =
        check_includes(tree_of({{"agent/marker/marker.c", "#include <sys/mman.h>\n#include <boost/asio.hpp>\n"},
                                {"viewer/timeline/lane.cpp", "#  include <imgui.h>\n"},
                                {"emu/cpu/cpu.cpp", "#include <sla/marker.h>\n"}}));
    EXPECT_THAT(findings, ElementsAre(HasSubstr("agent/marker/marker.c:2:"), HasSubstr("viewer/timeline/lane.cpp:1:"),
                                      HasSubstr("emu/cpu/cpu.cpp:1:")));
}

TEST(IncludeCheck, LetsOneFileSeeTheCommandLineLibrary) {
    const std::string text = "#include <CLI/App.hpp>\n";
    EXPECT_THAT(check_includes(tree_of({{"proto/common/command_parts.h", text}})), IsEmpty());
    EXPECT_THAT(
        check_includes(tree_of({{"tests/bench/bench.cpp", text}, {"viewer/cli/commands/table.cpp", text}})),
        ElementsAre(HasSubstr("tests/bench/bench.cpp:1: CLI11"), HasSubstr("viewer/cli/commands/table.cpp:1: CLI11")));
    const std::string parts = "#include \"proto/common/command_parts.h\"\n";
    EXPECT_THAT(check_includes(tree_of({{"proto/common/command_parts.h", text},
                                        {"proto/common/command_facts.cpp", parts},
                                        {"viewer/cli/commands/table.cpp", parts}})),
                ElementsAre(HasSubstr("viewer/cli/commands/table.cpp:1: CLI11")));
}

TEST(IncludeCheck, LetsOneRoomSeeTheTlsLibraries) {
    const std::string text = "#include <openssl/ssl.h>\n#include <boost/asio/ssl/stream.hpp>\n";
    EXPECT_THAT(check_includes(tree_of({{"proto/common/tls/stream.cpp", text}})), IsEmpty());
    EXPECT_THAT(
        check_includes(tree_of({{"agent/stream/server.cpp", text}})),
        ElementsAre(HasSubstr("agent/stream/server.cpp:1: OpenSSL"), HasSubstr("agent/stream/server.cpp:2: OpenSSL")));
}

TEST(IncludeCheck, RefusesAPathThatDoesNotStartAtTheRoot) {
    EXPECT_THAT(check_includes(tree_of({{"viewer/store/lane.h", ""}, {"viewer/store/lane.cpp", "#include \"lane.h\"\n"}})),
                ElementsAre(HasSubstr("does not exist")));
}

TEST(IncludeCheck, RefusesAProductThatIncludesItsTests) {
    EXPECT_THAT(
        check_includes(tree_of({{"tests/support/fake.h", ""}, {"emu/bus/bus.h", "#include \"tests/support/fake.h\"\n"}})),
        ElementsAre(HasSubstr("may not include its tests")));
}

TEST(LinkCheck, RefusesALinkAgainstTheArrows) {
    const auto findings =
        check_links(tree_of({{"viewer/store/CMakeLists.txt",
                              "sla_room(sla_viewer_store SOURCES a.cpp\n  LINKS sla_viewer_ui_app sla_proto_base)\n"}}));
    EXPECT_THAT(findings,
                ElementsAre(HasSubstr("viewer/store/CMakeLists.txt:2: viewer/store may not link sla_viewer_ui_app")));
}

TEST(CircleCheck, FindsACircleThatNoSingleArrowForbids) {
    const auto findings = check_circles(tree_of({{"emu/bus/bus.h", "#include \"emu/device/pic.h\"\n"},
                                                 {"emu/device/pic.h", "#include \"emu/machine/machine.h\"\n"},
                                                 {"emu/machine/machine.h", "#include \"emu/bus/bus.h\"\n"}}));
    EXPECT_THAT(findings, ElementsAre(HasSubstr("emu/bus -> emu/device -> emu/machine -> emu/bus")));
    EXPECT_THAT(check_circles(tree_of({{"emu/bus/bus.h", ""}, {"emu/device/pic.h", "#include \"emu/bus/bus.h\"\n"}})),
                IsEmpty());
}

TEST(TopLevelCheck, RefusesANewEntry) {
    SourceTree tree;
    tree.top_level = {".ci", "agent", "utils"};
    EXPECT_THAT(check_top_level(tree), ElementsAre(HasSubstr("utils")));
}

TEST(ReadmeCheck, MissesTheReadmeOfARoom) {
    auto tree = tree_of({{"proto/base/CMakeLists.txt", ""}});
    for (const char* floor : {"proto", "agent", "viewer", "emu", "tests"}) {
        tree.files.push_back({std::string(floor) + "/README.md", ""});
    }
    EXPECT_THAT(check_readmes(tree), ElementsAre("proto/base: has no README.md"));
}

TEST(ReadmeArrowCheck, HoldsTheListsAgainstTheIncludes) {
    const auto of = [](const std::string& store, const std::string& sql) {
        return check_readme_arrows(tree_of({{"viewer/store/README.md", store},
                                            {"viewer/sql/README.md", sql},
                                            {"viewer/ui/app/README.md", ""},
                                            {"proto/wire/README.md", "Bytes."},
                                            {"viewer/store/lane.h", "#include \"proto/wire/event.h\"\n"},
                                            {"viewer/sql/table.cpp", "#include \"viewer/store/lane.h\"\n"},
                                            {"viewer/ui/app/window.cpp", "#include \"viewer/store/lane.h\"\n"}}));
    };
    const std::string good = "# viewer/store\n\nIncludes `proto/*`. Used by `sql` and `ui`.\n";
    EXPECT_THAT(of(good, "Includes `viewer/{store,ingest}`; nothing of `viewer/ui`."), IsEmpty());
    EXPECT_THAT(of(good, "Includes `viewer/ui/app` and below."), IsEmpty()) << "no list";
    EXPECT_THAT(of(good, "What it does."), IsEmpty()) << "nor this";
    EXPECT_THAT(of(good, "May include `viewer/sto`, `file.h` of it."),
                ElementsAre("viewer/sql/README.md:1: leaves out that it includes viewer/store"));
    EXPECT_THAT(of("A\nmay include nothing.\nUsed by `sql`, `timeline`.", ""),
                ElementsAre("viewer/store/README.md:2: leaves out that it includes proto/wire",
                            "viewer/store/README.md:3: leaves out that viewer/ui/app includes it",
                            "viewer/store/README.md:3: viewer/timeline does not include it"));
    EXPECT_THAT(of("Used by `{`, `", "Includes `{"), testing::Not(IsEmpty())) << "broken text is read to its end";
}

TEST(UnitNameCheck, RefusesATestThatItsRoomDoesNotFind) {
    const std::string path = "tests/unit/proto/common/trigger/CMakeLists.txt";
    EXPECT_THAT(check_unit_names(tree_of({{path, "sla_test(unit_proto_common_trigger\n  SOURCES a.cpp)\n"}})), IsEmpty());
    EXPECT_THAT(check_unit_names(tree_of({{path, "sla_test(proto_trigger_test\n  SOURCES a.cpp)\n"}})),
                ElementsAre(HasSubstr("proto_trigger_test has to be named unit_proto_common_trigger")));
    EXPECT_THAT(check_unit_names(tree_of({{"tests/integration/tls/CMakeLists.txt", "sla_test(integration_tls)\n"},
                                          {"tests/unit/CMakeLists.txt", "sla_rooms(proto agent)\n"}})),
                IsEmpty());
}

TEST(PathCheck, FindsAPathOfOneMachine) {
    const std::string home = std::string("/ho") + "me/";
    EXPECT_THAT(check_machine_paths(tree_of({{"a.cpp", "int x;\nopen(\"" + home + "me/x\");\n"}})),
                ElementsAre(HasSubstr("a.cpp:2")));
    EXPECT_THAT(check_machine_paths(tree_of({{"a.cpp", "see net" + home + "page and DIR" + home + "x\n"}})), IsEmpty());
}

TEST(NamedFileCheck, FindsACommentWhoseFileHasGoneElsewhere) {
    const std::string comment = std::string("/") + "/ ";  // not one of this file
    const auto findings_of = [](const std::string& text) {
        return check_named_files(tree_of({{"viewer/store/rows/lane.h", ""}, {"viewer/a.cpp", text}}));
    };
    EXPECT_THAT(findings_of("int x;\n" + comment + "See store/lane.h.\n"),
                ElementsAre(HasSubstr("viewer/a.cpp:2: names store/lane.h")));
    EXPECT_THAT(findings_of("int x;  " + comment + "(lanes.cpp)\n"), ElementsAre(HasSubstr("lanes.cpp")));
    EXPECT_THAT(findings_of(comment + "store/rows/lane.h, lane.h and viewer/a.cpp\n#include \"none.h\"\n"), IsEmpty());
    EXPECT_THAT(findings_of(comment + "<sys/none.h>, Other.h, /usr/none.h, none.hpp\n"), IsEmpty());
}

TEST(LengthCheck, FindsALongFunctionAndALongFile) {
    EXPECT_THAT(check_lengths(tree_of({{"a.cpp", function_of_lines("void f()", 60)}})), IsEmpty());
    EXPECT_THAT(check_lengths(tree_of({{"a.cpp", function_of_lines("void f()", 61)}})),
                ElementsAre(HasSubstr("f has 61 lines")));
    std::string text;
    for (int i = 0; i < 451; ++i) text += "int x;\n";
    EXPECT_THAT(check_lengths(tree_of({{"a.h", text}})), ElementsAre(HasSubstr("451 lines")));
}

TEST(FunctionLengths, SeeMembersLambdasAndInitialisersRight) {
    const auto found = functions_of(R"code(
namespace a { extern "C" {
struct alignas(64) B : public C {
public:
    B(int x) : x_{x}, y_(2), z_{{1, 2}} {
        run([] { return 1; });
    }
private:
    int list_[2] = {1, 2};
    std::vector<int> more_{1};
    static struct sla *make(int x) { return 0; }
};
}}
static const char* kTable[] = {"}", "{", "(", };  // } not this
bool operator==(const B& l, const B& r) { return '}' == 1'000; }
TEST(Some, Thing) {
#define ODD {{{ (
}
)code");
    std::vector<std::string> names;
    std::vector<int> lengths;
    for (const auto& function : found) {
        names.push_back(function.name);
        lengths.push_back(function.lines);
    }
    EXPECT_THAT(names, ElementsAre("B", "make", "operator==", "TEST"));
    EXPECT_THAT(lengths, ElementsAre(3, 1, 1, 3));
}

TEST(FunctionLengths, SurviveBrokenText) {
    for (const char* text : {"", "}", "}}}}", "{{{{", "f(", "\"", "R\"x(", "/*", "'", "f() {", "#", "\\"}) {
        EXPECT_THAT(functions_of(text), IsEmpty()) << text;
    }
}

TEST(BlankText, KeepsEveryLineInItsPlace) {
    const std::string text = "a /* b\n c */ d // e\n\"f\\\"g\" R\"(h\n)\" '\\'' i\n#if 1 \\\n j\n";
    const std::string blank = blank_non_code(text);
    EXPECT_EQ(blank.size(), text.size());
    EXPECT_EQ(line_count(blank), line_count(text));
    for (const char gone : {'b', 'c', 'e', 'f', 'g', 'h', 'j'}) EXPECT_EQ(blank.find(gone), std::string::npos) << gone;
    for (const char kept : {'a', 'd', 'i'}) EXPECT_NE(blank.find(kept), std::string::npos) << kept;
}

TEST(ReadTree, LeavesOutWhatGitIgnores) {
    const auto root = std::filesystem::path(testing::TempDir()) / "sla-read-tree";
    std::filesystem::remove_all(root);
    std::filesystem::create_directories(root / "build" / "deep");
    std::filesystem::create_directories(root / "agent");
    std::ofstream(root / ".gitignore") << "/build/\n";
    std::ofstream(root / "build" / "deep" / "x.cpp") << "x";
    std::ofstream(root / "agent" / "y.cpp") << "y";
    const SourceTree tree = read_tree(root);
    EXPECT_THAT(tree.top_level, ElementsAre(".gitignore", "agent"));
    ASSERT_EQ(tree.files.size(), 2u);
    EXPECT_EQ(tree.files[1].path, "agent/y.cpp");
    std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace sla::layering
