// Every export of one small capture, byte for byte. After a change that is meant, run with SLA_UPDATE_GOLDEN=1, look at the
// difference, and commit it.
#include "proto/wire/version.h"
#include "tests/unit/viewer/formats/small_capture.h"
#include "viewer/formats/catalog/export.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace sla::formats {
namespace {

std::string content(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string hex(const std::string& bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        out += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
        out += i % 32 == 31 || i + 1 == bytes.size() ? "\n" : " ";
    }
    return out;
}

std::string zip_text(const std::string& path) {
    zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY, nullptr);
    if (archive == nullptr) return "not a zip";
    std::string out;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
        const std::string name = zip_get_name(archive, static_cast<zip_uint64_t>(i), 0);
        zip_file_t* file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
        std::string bytes(1 << 20, '\0');
        bytes.resize(static_cast<std::size_t>(zip_fread(file, bytes.data(), bytes.size())));
        zip_fclose(file);
        out += "== " + name + "\n" + (name.starts_with("logic") ? hex(bytes) : bytes + "\n");
    }
    zip_close(archive);
    return out;
}

std::string directory_text(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(directory), {});
    std::sort(files.begin(), files.end());
    std::string out;
    for (const auto& file : files) {
        const std::string bytes = content(file);
        out += "== " + file.filename().string() + "\n" + (file.filename() == "metadata" ? bytes : hex(bytes));
    }
    return out;
}

class Golden : public ::testing::TestWithParam<const char*> {};

TEST_P(Golden, IsExactlyThis) {
    const std::string name = GetParam();
    const auto directory = std::filesystem::path(::testing::TempDir()) / ("sla_golden_" + name + std::to_string(getpid()));
    std::filesystem::create_directories(directory);
    store::Session session;
    small_capture().fill(session);
    const std::string path = directory / "out";
    const auto report = export_capture(session, *analysis::select(session, {}), {*parse_export_format(name), 1e8}, path);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->events, 17u);
    std::string made = name == "ctf" ? directory_text(path) : name == "sr" ? zip_text(path) : content(path);
    if (name == "perfetto") made = hex(made);
    const std::string version = "sla " + std::string(wire::kProductVersion);
    for (std::size_t at = made.find(version); at != made.npos; at = made.find(version, at))
        made.replace(at, version.size(), "sla VERSION");
    std::filesystem::remove_all(directory);
    const std::string golden = std::string(SLA_GOLDEN) + "/small." + name;
    if (std::getenv("SLA_UPDATE_GOLDEN") != nullptr) std::ofstream(golden, std::ios::binary) << made;
    EXPECT_EQ(made, content(golden)) << "differs from " << golden;
}

INSTANTIATE_TEST_SUITE_P(Exports, Golden,
                         ::testing::Values("csv", "tsv", "json", "jsonl", "text", "vcd", "chrome", "perfetto", "ctf", "sr"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace sla::formats
