// Files that are there but cannot be read, or not to their end: an error, never a shorter capture.
#include "tests/unit/viewer/formats/imported.h"
#include "tests/unit/viewer/formats/small_capture.h"
#include "viewer/formats/chrome/chrome.h"
#include "viewer/formats/perfetto/perfetto.h"
#include "viewer/formats/table/csv_reader.h"
#include "viewer/formats/vcd/vcd.h"

#include <sys/resource.h>

#include <streambuf>

namespace sla::formats {
namespace {

// Gives its bytes, then breaks as a file on a bad disk does.
class BreakingBuffer : public std::streambuf {
public:
    explicit BreakingBuffer(std::string bytes) : bytes_(std::move(bytes)) {
        setg(bytes_.data(), bytes_.data(), bytes_.data() + bytes_.size());
    }

private:
    int_type underflow() override {
        errno = EIO;
        throw std::ios_base::failure("broken");
    }
    std::string bytes_;
};

// Fewer open files while it lives.
class FileLimit {
public:
    explicit FileLimit(rlim_t most) {
        getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit less{std::min(most, before_.rlim_max), before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &less);
    }
    ~FileLimit() { setrlimit(RLIMIT_NOFILE, &before_); }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

private:
    rlimit before_{};
};

class Unreadable : public WithFiles {
protected:
    void SetUp() override { small_capture().fill(session_); }
    void export_to(const std::string& path, ExportFormat format) {
        ASSERT_TRUE(export_capture(session_, *analysis::select(session_, {}), {format, 1e9}, path).ok());
    }
    std::string exported(ExportFormat format) {
        export_to(file("out"), format);
        std::ifstream in(file("out"), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    template <typename Import>
    void expect_refused_wherever_it_breaks(const std::string& bytes, const Import& import) {
        for (const std::size_t at : {std::size_t{0}, bytes.size() / 3, bytes.size() / 2, bytes.size()}) {
            auto sink = CaptureSink::create(file("x.sla"), "test");
            BreakingBuffer buffer(bytes.substr(0, at));
            std::istream in(&buffer);
            Notes notes;
            const Result<void> taken = import(in, *sink, notes, Progress());
            ASSERT_FALSE(taken.ok()) << at << " of " << bytes.size() << " bytes";
            EXPECT_NE(taken.error().message.find("cannot be read to its end: Input/output error"), std::string::npos)
                << taken.error().message;
        }
    }
    // As versions wrote it that did not say how long a stream is.
    static void without_sizes(const std::string& metadata) {
        std::ifstream in(metadata);
        std::string kept;
        for (std::string line; std::getline(in, line);) {
            if (line.find("sla_bytes_") == std::string::npos) kept += line + "\n";
        }
        std::ofstream(metadata) << kept;
    }
    std::string refusal_of(const std::string& path) {
        const auto report = import_file(path, ImportFormat::kCtf, file("imported.sla"));
        return report.ok() ? "taken" : report.error().message;
    }

    store::Session session_;
};

TEST_F(Unreadable, AFileThatBreaksOffIsRefusedWhereverItDoes) {
    expect_refused_wherever_it_breaks(exported(ExportFormat::kCsv), import_csv);
    expect_refused_wherever_it_breaks(exported(ExportFormat::kVcd), import_vcd);
    expect_refused_wherever_it_breaks(exported(ExportFormat::kPerfetto), import_perfetto);
    expect_refused_wherever_it_breaks(exported(ExportFormat::kChrome), import_chrome);
}

TEST_F(Unreadable, AStreamOfCtfThatCannotBeReadIsNamed) {
    export_to(file("ctf"), ExportFormat::kCtf);
    without_sizes(file("ctf") + "/metadata");
    std::filesystem::remove(file("ctf") + "/channel_3");
    std::filesystem::create_symlink("/proc/self/mem", file("ctf") + "/channel_3");  // nothing is mapped at its start
    EXPECT_NE(refusal_of(file("ctf")).find("channel_3': Input/output error"), std::string::npos) << refusal_of(file("ctf"));
    std::filesystem::remove(file("ctf") + "/channel_3");
    std::filesystem::create_directory(file("ctf") + "/channel_3");
    EXPECT_NE(refusal_of(file("ctf")).find("channel_3, of 'irq.0', is no file"), std::string::npos)
        << refusal_of(file("ctf"));
}

TEST_F(Unreadable, CtfMayHaveMoreStreamsThanFilesMayBeOpenAndMoreEventsThanAreHeld) {
    constexpr std::uint64_t kChannels = 400;
    constexpr std::uint64_t kEach = CaptureSink::kWindowEvents / kChannels + 500;
    support::CaptureBuilder capture;
    for (std::uint64_t i = 0; i < kChannels; ++i) {
        const auto channel = capture.channel("c" + std::to_string(i));
        for (std::uint64_t event = 0; event < kEach; ++event) capture.tick(channel, 1000 + event * kChannels + i);
    }
    store::Session session;
    capture.fill(session);
    ASSERT_TRUE(export_capture(session, *analysis::select(session, {}), {ExportFormat::kCtf, 1e9}, file("ctf")).ok());
    store::Session back;
    {
        const FileLimit few(100);
        take_in(file("ctf"), back);
    }
    ASSERT_EQ(back.lanes().size(), kChannels);
    for (const store::Lane* lane : back.lanes()) ASSERT_EQ(lane->size(), kEach) << lane->channel().name;
}

TEST_F(Unreadable, AStreamOfCtfThatCannotBeOpenedIsNamed) {
    export_to(file("ctf"), ExportFormat::kCtf);
    std::filesystem::remove(file("ctf") + "/channel_3");
    std::filesystem::create_symlink("channel_3", file("ctf") + "/channel_3");  // itself
    EXPECT_NE(refusal_of(file("ctf")).find("channel_3': "), std::string::npos) << refusal_of(file("ctf"));
}

TEST_F(Unreadable, CtfWithATextLongerThanABlockComesBack) {
    support::CaptureBuilder capture;
    for (std::uint64_t i = 0; i < 3; ++i) {
        const auto channel = capture.channel("log" + std::to_string(i));
        for (std::uint64_t line = 0; line < 200; ++line)
            capture.text(channel, 1000 + line, std::string(60'000, static_cast<char>('a' + line % 26)));
    }
    store::Session session;
    store::Session back;
    capture.fill(session);
    ASSERT_TRUE(export_capture(session, *analysis::select(session, {}), {ExportFormat::kCtf, 1e9}, file("ctf")).ok());
    take_in(file("ctf"), back);
    for (const store::Lane* lane : session.lanes()) {
        for (std::uint64_t i = 0; i < lane->size(); ++i)
            ASSERT_EQ(back.lane_named(lane->channel().name)->text(i), lane->text(i));
    }
}

}  // namespace
}  // namespace sla::formats
