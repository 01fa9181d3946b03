// Questions and their answers as lines, for tests.
#pragma once

#include "tests/support/capture_builder.h"
#include "viewer/sql/engine.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace sla::sql {

// Rows as "1|2.5|text|", at most `most` of them.
class Lines final : public Answer {
public:
    explicit Lines(std::size_t most = 10'000) : most_(most) {}

    Result<void> begin(const std::vector<std::string>& names) override {
        columns = names;
        return {};
    }
    Result<bool> row(const AnswerRow& row) override {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) line += (i == 0 ? "" : "|") + field(row, i);
        lines.push_back(line);
        return lines.size() < most_;
    }
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const std::string& line : lines) all += line + "\n";
        return all;
    }

    std::vector<std::string> columns;
    std::vector<std::string> lines;

private:
    static std::string field(const AnswerRow& row, std::size_t column) {
        char digits[40];
        switch (row.type(column)) {
            case AnswerRow::Type::kNull: return "";
            case AnswerRow::Type::kInteger: return std::to_string(row.integer(column));
            case AnswerRow::Type::kReal: std::snprintf(digits, sizeof digits, "%.12g", row.real(column)); return digits;
            case AnswerRow::Type::kText:
            case AnswerRow::Type::kBlob: break;
        }
        return std::string(row.bytes(column));
    }
    std::size_t most_;
};

// The lines, or "ERROR: " and why there are none.
inline std::string answer_of(Engine& engine, std::string_view question) {
    Lines lines;
    const auto asked = engine.ask(question, lines);
    return asked.ok() ? lines.text() : "ERROR: " + asked.error().message;
}

// An engine over one capture made by hand.
class Asking : public ::testing::Test {
protected:
    std::string ask(std::string_view question) {
        if (engine_ == nullptr) open();
        return answer_of(*engine_, question);
    }
    void open(EngineOptions options = {}) {
        session_ = std::make_unique<store::Session>();
        capture_.fill(*session_);
        engine_ = Engine::open({{"c.sla", session_.get()}}, std::move(options)).value();
    }
    [[nodiscard]] Engine& engine() { return *engine_; }
    [[nodiscard]] store::Session& session() { return *session_; }

    support::CaptureBuilder capture_{1000};

private:
    std::unique_ptr<store::Session> session_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace sla::sql
