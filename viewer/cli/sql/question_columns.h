// QuestionColumns: answers of questions as further columns of the event table, `sla table --column NAME=QUESTION`. Each is
// asked once, of the whole capture, before the first row is written. An answer with more rows than can be kept is an error: a
// table never leaves values out without saying so.
#pragma once

#include "proto/base/result.h"
#include "viewer/formats/table/extra_columns.h"
#include "viewer/sql/column_answer.h"
#include "viewer/sql/named_question.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::cli {

class QuestionColumns final : public formats::ExtraColumns {
public:
    // Of the words as they are typed; an error is what is wrong with one, before anything is loaded.
    static Result<std::vector<sql::NamedQuestion>> parse(const std::vector<std::string>& words);
    // The session outlives it and has all rows that the questions may look at.
    static Result<std::unique_ptr<QuestionColumns>> ask(const store::Session& session, const std::string& capture,
                                                        const std::vector<sql::NamedQuestion>& questions);

    [[nodiscard]] const std::vector<formats::Column>& columns() const override { return columns_; }
    void write(const store::RowRef& row, formats::RowWriter& writer, formats::ByteBuffer& out) const override;

private:
    std::vector<formats::Column> columns_;
    std::vector<sql::ColumnAnswer> answers_;
};

}  // namespace sla::cli
