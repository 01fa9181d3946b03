#include "viewer/workspace/sql/question.h"

#include "proto/wire/address.h"
#include "proto/wire/utf8.h"
#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/number_text.h"
#include "viewer/ingest/caches.h"
#include "viewer/ingest/open.h"
#include "viewer/sql/engine.h"
#include "viewer/timeline/readable.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <utility>

namespace sla::workspace {

// A file of ours for as long as somebody reads it.
struct SqlQuestion::CopiedFile {
    CopiedFile() {
        static std::atomic<int> number = 0;
        std::error_code error;
        path = (std::filesystem::temp_directory_path(error) / fmt::format("sla-question-{}-{}.sla", getpid(), ++number))
                   .string();
    }
    ~CopiedFile() { unlink(path.c_str()); }
    CopiedFile(const CopiedFile&) = delete;
    CopiedFile& operator=(const CopiedFile&) = delete;

    std::string path;
};

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{512} << 20;

SqlCell cell_of(const sql::AnswerRow& row, std::size_t column) {
    formats::ByteBuffer text;
    switch (row.type(column)) {
        case sql::AnswerRow::Type::kNull: return {};
        case sql::AnswerRow::Type::kInteger: text.put_signed(row.integer(column)); return {std::string(text.view()), true};
        case sql::AnswerRow::Type::kReal: text.put_float(row.real(column)); return {std::string(text.view()), true};
        case sql::AnswerRow::Type::kBlob: return {fmt::format("{} bytes", row.bytes(column).size()), false};
        case sql::AnswerRow::Type::kText: break;
    }
    return {wire::to_utf8(row.bytes(column)), false};
}

class Collector final : public sql::Answer {
public:
    explicit Collector(SqlAnswer& answer) : answer_(answer) {}
    Result<void> begin(const std::vector<std::string>& columns) override {
        for (const std::string& name : columns) answer_.columns.push_back(wire::to_utf8(name));
        return {};
    }
    Result<bool> row(const sql::AnswerRow& row) override {
        answer_.is_cut = answer_.rows() >= SqlAnswer::kMostRows || bytes_ >= SqlAnswer::kMostBytes;
        if (answer_.is_cut) return false;
        for (std::size_t i = 0; i < row.size(); ++i) {
            answer_.cells.push_back(cell_of(row, i));
            bytes_ += sizeof(SqlCell) + answer_.cells.back().text.size();
        }
        return true;
    }

private:
    SqlAnswer& answer_;
    std::size_t bytes_ = 0;
};

// The job's work.
void fill(SqlAnswer& answer, const SqlQuestion::Load& load, const JobRunner::Control& control) {
    const auto begin = std::chrono::steady_clock::now();
    store::Session session;
    if (const auto loaded = load(session); !loaded.ok()) {
        answer.problem = loaded.error().message;
        return;
    }
    sql::EngineOptions options;
    options.memory_bytes = kMemory;
    options.go_on = [&control] { return !control.is_cancelled(); };
    auto engine = sql::Engine::open({{"capture", &session}}, options);
    if (!engine.ok()) {
        answer.problem = engine.error().message;
        return;
    }
    Collector collector(answer);
    if (auto asked = (*engine)->ask(answer.question, collector); !asked.ok()) answer.problem = asked.error().message;
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::optional<std::uint64_t> SqlAnswer::tick(std::size_t row) const {
    for (const char* name : {"tick", "begin_tick"}) {
        const auto found = std::find(columns.begin(), columns.end(), name);
        if (found == columns.end()) continue;
        if (const auto number =
                formats::read_number<std::uint64_t>(cell(row, static_cast<std::size_t>(found - columns.begin())).text))
            return number;
    }
    return std::nullopt;
}

void SqlQuestion::ask(DataSource& source, const std::string& question) {
    cancel();
    question_ = question;
    const std::string target = source.target();
    if (const auto loader = source.make_loader(ingest::kWalkCache)) {
        return start([loader](store::Session& session) -> Result<void> {
            loader(session);
            return {};
        });
    }
    const bool is_file = !target.empty() && !wire::looks_like_address(target);
    if (!is_file) return copy(source);
    start([target](store::Session& session) { return ingest::load(target, session); });
}

// What lies in the window's memory grows and has one reader; a file of it does not.
void SqlQuestion::copy(DataSource& source) {
    auto all = analysis::select(source.session(), {});
    if (!all.ok()) return refuse(all.error().message);
    file_ = std::make_shared<CopiedFile>();
    copy_ = std::make_unique<ExportJob>(source.session(), std::move(*all),
                                        formats::ExportOptions{formats::ExportFormat::kSla, 0}, file_->path);
}

void SqlQuestion::start(const Load& load) {
    result_ = std::make_shared<SqlAnswer>();
    result_->question = question_;
    job_ = JobRunner::shared().start("answering a question",
                                     [to = result_, load](JobRunner::Control& control) { fill(*to, load, control); });
}

void SqlQuestion::refuse(const std::string& why) {
    answer_ = {};
    answer_.question = question_;
    answer_.problem = why;
}

void SqlQuestion::step(std::chrono::milliseconds budget) {
    if (copy_ != nullptr && !copy_->step(budget)) {
        const auto copied = std::exchange(copy_, nullptr);
        if (copied->result()->ok()) {
            start([file = file_](store::Session& session) { return ingest::load(file->path, session); });
        } else {
            refuse("the rows could not be copied: " + copied->result()->error().message);
        }
        file_.reset();
    }
    if (result_ == nullptr || job_.is_running()) return;
    answer_ = std::move(*result_);
    if (job_.ran_out_of_memory()) answer_.problem = "there is not enough memory for this question";
    result_.reset();
}

void SqlQuestion::leave_source() {
    if (copy_ == nullptr) return;
    cancel();
    refuse("older rows came meanwhile: ask again");
}

void SqlQuestion::cancel() {
    copy_.reset();
    file_.reset();
    job_ = {};
    result_.reset();
}

std::string SqlQuestion::words() const {
    if (copy_ != nullptr) {
        return copy_->all() == 0
                   ? "copying what the agent sent\xE2\x80\xA6"
                   : fmt::format("copying what the agent sent, {:.0f} %",
                                 100.0 * static_cast<double>(copy_->done()) / static_cast<double>(copy_->all()));
    }
    if (result_ != nullptr) return "asking\xE2\x80\xA6";
    if (answer_.question.empty()) return {};
    if (!answer_.problem.empty()) return answer_.problem.substr(0, answer_.problem.find('\n'));
    return fmt::format("{}{} row{} in {:.3g} s", answer_.is_cut ? "the first " : "", timeline::grouped(answer_.rows()),
                       answer_.rows() == 1 ? "" : "s", answer_.seconds);
}

}  // namespace sla::workspace
