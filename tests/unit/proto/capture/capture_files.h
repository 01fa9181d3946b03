// Capture files of known content in a folder that goes away with the test.
#pragma once

#include "proto/capture/capture_reader.h"
#include "proto/capture/capture_writer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace sla::capture {

class Folder {
public:
    Folder() {
        std::string name = ::testing::TempDir() + "sla-capture-XXXXXX";
        path_ = mkdtemp(name.data()) != nullptr ? name : "";
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] std::string file(const std::string& name = "test.sla") const { return path_ + "/" + name; }
    std::string write(const std::string& bytes) const {
        std::filesystem::remove(file());  // writing over a file makes ext4 wait for the disk
        std::ofstream(file(), std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return file();
    }

private:
    std::string path_;
};

inline std::string read_all(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Content {
    std::vector<std::string> frames;
    std::vector<Damage> damage;
    bool finished = false;
    std::string error;
};

inline Content read_capture(const std::string& path) {
    Content content;
    Result<CaptureReader> reader = CaptureReader::open(path);
    if (!reader) {
        content.error = reader.error().message;
        return content;
    }
    while (const auto frame = reader->next()) content.frames.emplace_back(*frame);
    content.damage = reader->damage();
    content.finished = reader->finished();
    return content;
}

// One frame after the other, a chunk closed behind each `frames_a_chunk`.
inline void write_capture(const std::string& path, const std::vector<std::string>& frames, std::size_t frames_a_chunk,
                          bool finish = true) {
    Result<CaptureWriter> writer = CaptureWriter::create(path);
    ASSERT_TRUE(writer.ok()) << writer.error().message;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        ASSERT_TRUE(writer->append(frames[i], {static_cast<std::uint32_t>(i % 3), i * 10, i * 10 + 5, 4}).ok());
        if ((i + 1) % frames_a_chunk == 0) {
            ASSERT_TRUE(writer->flush().ok());
        }
    }
    if (finish) {
        ASSERT_TRUE(writer->finish().ok());
    }
}

inline std::vector<std::string> some_frames(std::size_t count) {
    std::vector<std::string> frames;
    for (std::size_t i = 0; i < count; ++i) {
        frames.push_back("frame " + std::to_string(i) + std::string(i % 7 * 3, static_cast<char>('a' + i % 26)));
    }
    return frames;
}

}  // namespace sla::capture
