// Files in a directory of their own, imported and looked at.
#pragma once

#include "viewer/formats/catalog/export.h"
#include "viewer/formats/catalog/import.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace sla::formats {

class WithFiles : public ::testing::Test {
protected:
    WithFiles() : directory_(std::filesystem::path(::testing::TempDir()) / ("sla_exchange_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(directory_);
    }
    ~WithFiles() override { std::filesystem::remove_all(directory_); }
    [[nodiscard]] std::string file(const std::string& name) const { return directory_ / name; }
    [[nodiscard]] std::string written(const std::string& name, const std::string& bytes) const {
        std::ofstream(file(name), std::ios::binary) << bytes;
        return file(name);
    }
    // Imports `path` by its content into `session`; notes are kept.
    void take_in(const std::string& path, store::Session& session) {
        const auto format = detect_format(path);
        ASSERT_TRUE(format.ok()) << format.error().message;
        const auto report = import_file(path, *format, file("imported.sla"));
        ASSERT_TRUE(report.ok()) << report.error().message;
        notes_ = report->notes;
        ASSERT_TRUE(ingest::load(file("imported.sla"), session).ok());
        EXPECT_EQ(session.damage_count(), 0u) << (session.notes().empty() ? "" : session.notes().back().text);
    }
    // The same for bytes.
    void take_in_bytes(const std::string& bytes, store::Session& session) { take_in(written("in", bytes), session); }
    Result<ImportReport> import_bytes(const std::string& bytes, ImportFormat format) {
        return import_file(written("in", bytes), format, file("imported.sla"));
    }
    [[nodiscard]] bool has_note(const std::string& part) const {
        for (const std::string& note : notes_) {
            if (note.find(part) != std::string::npos) return true;
        }
        return false;
    }
    // "kind value text @time_ns" a line, of one lane.
    static std::string reported(const store::Session& session, const std::string& channel) {
        const store::Lane* lane = session.lane_named(channel);
        if (lane == nullptr) return "no lane " + channel;
        std::ostringstream out;
        for (std::uint64_t i = 0; i < lane->size(); ++i) {
            const store::Event event = (*lane)[i];
            out << wire::kind_name(event.kind());
            if (wire::value_type_of(event.code) == wire::ValueType::kFloat) {
                out << ' ' << wire::as_double(event.value);
            } else if (wire::has_value(event.code)) {
                out << ' ' << static_cast<std::int64_t>(event.value);
            }
            if (const std::string text = lane->text(i); !text.empty()) out << " '" << text << "'";
            out << " @" << static_cast<double>(session.clock().to_ps(event.tick)) / 1000 << '\n';
        }
        return out.str();
    }

private:
    std::filesystem::path directory_;
    std::vector<std::string> notes_;
};

}  // namespace sla::formats
