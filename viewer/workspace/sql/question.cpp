#include "viewer/workspace/sql/question.h"

#include "proto/wire/utf8.h"
#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/number_text.h"
#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sla::workspace {

namespace {

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
        answer_.is_cut = answer_.rows() >= SqlAnswer::kMaxRows || bytes_ >= SqlAnswer::kMaxBytes;
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
    result_ = std::make_shared<SqlAnswer>();
    result_->question = question;
    asking_.begin(source, [to = result_](sql::Engine& engine, const store::Session&) -> Result<void> {
        const auto begin = std::chrono::steady_clock::now();
        Collector collector(*to);
        auto asked = engine.ask(to->question, collector);
        to->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return asked;
    });
}

void SqlQuestion::poll() {
    const auto ended = asking_.poll();
    if (!ended || result_ == nullptr) return;
    answer_ = std::move(*result_);
    if (!ended->ok()) answer_.problem = ended->error().message;
    result_.reset();
}

void SqlQuestion::cancel() {
    asking_.cancel();
    result_.reset();
}

std::string SqlQuestion::words() const {
    if (std::string words = asking_.words(); !words.empty()) return words;
    if (answer_.question.empty()) return {};
    if (!answer_.problem.empty()) return answer_.problem.substr(0, answer_.problem.find('\n'));
    return fmt::format("{}{} row{} in {:.3g} s", answer_.is_cut ? "the first " : "", timeline::grouped(answer_.rows()),
                       answer_.rows() == 1 ? "" : "s", answer_.seconds);
}

}  // namespace sla::workspace
