// Names of files and what they promise; what stands in a folder; the desktop's dialog.
#include "viewer/workspace/files/export_formats.h"

#include "tests/support/with_directory.h"
#include "viewer/workspace/files/folder_list.h"
#include "viewer/workspace/files/native_file_dialog.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace sla::workspace {
namespace {

using formats::ExportFormat;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ExportFormats, TheEndingSaysWhichFormatIsMeant) {
    for (const ExportFormatName& one : export_formats()) {
        const auto format = format_for_export(std::string("/tmp/run.") + one.ending, ExportFormat::kText);
        ASSERT_TRUE(format.ok()) << one.ending;
        EXPECT_EQ(*format, one.format) << one.ending;
    }
    EXPECT_EQ(*format_for_export("run", ExportFormat::kCtf), ExportFormat::kCtf);
    EXPECT_EQ(*format_for_export("/tmp/v1.2/run", ExportFormat::kVcd), ExportFormat::kVcd);
}

TEST(ExportFormats, AnEndingOfNoFormatIsAnError) {
    for (const char* name : {"x.yaml", "x.jpg", "/tmp/x.png", "x.docx"}) {
        const auto format = format_for_export(name, ExportFormat::kCsv);
        ASSERT_FALSE(format.ok()) << name;
        EXPECT_THAT(format.error().message, HasSubstr("false name")) << name;
        EXPECT_THAT(format.error().message, HasSubstr(".chrome.json")) << name;
    }
}

TEST(ExportFormats, AnotherFormatTakesAnotherEnding) {
    EXPECT_EQ(renamed_for("/tmp/run.csv", ExportFormat::kVcd), "/tmp/run.vcd");
    EXPECT_EQ(renamed_for("run.chrome.json", ExportFormat::kJson), "run.json");
    EXPECT_EQ(renamed_for("run.json", ExportFormat::kChrome), "run.chrome.json");
    EXPECT_EQ(renamed_for("run.perfetto-trace", ExportFormat::kCsv), "run.csv");
    EXPECT_EQ(renamed_for("run", ExportFormat::kCsv), "run");
    EXPECT_EQ(renamed_for("run.yaml", ExportFormat::kCsv), "run.yaml") << "it is the person's to mend";
}

TEST(ExportFormats, PatternsStandBesideEachOther) {
    EXPECT_THAT(patterns_of(" net.*, irq.0  idle;"), ElementsAre("net.*", "irq.0", "idle"));
    EXPECT_TRUE(patterns_of("  ").empty());
}

class Folders : public support::WithDirectory {};

TEST_F(Folders, FoldersComeFirstThenCapturesAsPeopleCount) {
    std::filesystem::create_directory(file("sub"));
    for (const char* name : {"a.png", "run.10.sla", "run.9.sla", ".hidden"}) std::ofstream(file(name)) << "four";
    const auto entries = list_folder(file(""));
    ASSERT_TRUE(entries.ok());
    std::vector<std::string> names;
    for (const FolderEntry& entry : *entries) names.push_back(entry.name);
    EXPECT_THAT(names, ElementsAre("sub", "run.9.sla", "run.10.sla", "a.png"));
    EXPECT_TRUE(entries->front().is_folder);
    EXPECT_EQ(entries->back().bytes, 4u);
    const auto missing = list_folder(file("nowhere"));
    ASSERT_FALSE(missing.ok());
    EXPECT_THAT(missing.error().message, HasSubstr("nowhere"));
}

TEST_F(Folders, OfVeryManyTheFirstAreThere) {
    for (std::size_t i = 0; i < kMaxEntries + 200; ++i) std::ofstream(file("run." + std::to_string(i)));
    const auto entries = list_folder(file(""));
    ASSERT_TRUE(entries.ok());
    ASSERT_EQ(entries->size(), kMaxEntries);
    for (std::size_t i = 0; i < kMaxEntries; ++i) ASSERT_EQ((*entries)[i].name, "run." + std::to_string(i));
}

TEST_F(Folders, APathIsAFolderAndAFileInIt) {
    EXPECT_EQ(folder_of("/tmp/a/run.csv"), "/tmp/a");
    EXPECT_EQ(folder_of("/run.csv"), "/");
    EXPECT_EQ(folder_of("run.csv"), std::filesystem::current_path().string());
    EXPECT_EQ(folder_of("/tmp/a/"), "/tmp/a");
    EXPECT_EQ(file_of("/tmp/a/run.csv"), "run.csv");
    EXPECT_EQ(joined("/tmp", "run.csv"), "/tmp/run.csv");
}

TEST_F(Folders, APathThatIsKeptIsTheOneThatIsOpened) {
    namespace fs = std::filesystem;
    const fs::path here = fs::canonical(file(""));
    fs::create_directories(here / "deep" / "sub");
    fs::create_directories(here / "top");
    fs::create_directory_symlink(here / "deep" / "sub", here / "top" / "link");
    fs::create_symlink(here / "deep" / "x.sla", here / "top" / "newest.sla");
    const std::string through = here / "top" / "link" / ".." / "x.sla";
    EXPECT_EQ(whole_path(through), here / "deep" / "x.sla");
    EXPECT_EQ(folder_of(through), here / "deep");
    EXPECT_EQ(whole_path(here / "top" / "newest.sla"), here / "top" / "newest.sla") << "a link is a name, too";
    EXPECT_EQ(whole_path((here / "deep").string() + "//"), here / "deep");
    EXPECT_EQ(whole_path((here / "deep").string() + "/."), here / "deep");
    EXPECT_EQ(whole_path((here / "top" / "link").string() + "/.."), here / "deep");
    EXPECT_EQ(whole_path(here / "run.*.sla"), here / "run.*.sla");
    EXPECT_EQ(whole_path("run.sla"), fs::current_path() / "run.sla");
    EXPECT_EQ(whole_path("no/such/folder/"), fs::current_path() / "no" / "such" / "folder");
    EXPECT_EQ(whole_path("/"), "/");
}

// A program that stands for the desktop's dialog, first in PATH.
class Desktop : public support::WithDirectory {
protected:
    Desktop() {
        std::filesystem::create_directory(file("bin"));
        setenv("PATH", (file("bin") + ":" + path_).c_str(), 1);
        setenv("DISPLAY", ":no-such-display", 1);
    }
    ~Desktop() override {
        setenv("PATH", path_.c_str(), 1);
        unsetenv("DISPLAY");
    }
    void install(const std::string& script) {
        std::ofstream(file("bin/zenity")) << "#!/bin/sh\n" << script;
        std::filesystem::permissions(file("bin/zenity"), std::filesystem::perms::owner_all);
    }
    static std::optional<std::string> answer_of(NativeFileDialog& dialog) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        std::optional<std::string> answer;
        while (dialog.is_open() && std::chrono::steady_clock::now() < limit) {
            answer = dialog.take_answer();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        EXPECT_FALSE(dialog.is_open());
        return answer;
    }

private:
    const std::string path_ = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
};

TEST_F(Desktop, ItsDialogIsAskedAndItsAnswerTaken) {
    install("echo 'Gtk-WARNING: no theme' >&2\nprintf '%s\\n' \"$@\" >\"" + file("said") + "\"\necho /tmp/chosen.csv\n");
    ASSERT_TRUE(NativeFileDialog::is_there());
    NativeFileDialog dialog;
    ASSERT_TRUE(dialog.ask(FileDialogKind::kSave, "/tmp/run.csv").ok());
    EXPECT_EQ(answer_of(dialog), "/tmp/chosen.csv");
    EXPECT_THAT(content(file("said")), HasSubstr("--filename=/tmp/run.csv\n--save"));
}

TEST_F(Desktop, ADialogThatIsClosedChoosesNothing) {
    install("echo /tmp/not-meant\nexit 1\n");
    NativeFileDialog dialog;
    ASSERT_TRUE(dialog.ask(FileDialogKind::kOpen, "/tmp/").ok());
    EXPECT_EQ(answer_of(dialog), std::nullopt);
}

TEST_F(Desktop, WithoutADisplayThereIsNone) {
    install("exit 0\n");
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    EXPECT_FALSE(NativeFileDialog::is_there());
}

}  // namespace
}  // namespace sla::workspace
