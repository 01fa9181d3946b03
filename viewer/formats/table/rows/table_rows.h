// TableRows: the event table's rows one after the other, in one of its two forms: with the contract's columns (table.h), or for
// people (people_table.h). Private to the room.
//
// One owner, one thread. The session may grow between two rows, and is another one from refresh() on, when that says so.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/byte_buffer.h"
#include "viewer/formats/table/extra_columns.h"
#include "viewer/formats/table/format.h"

#include <cstdint>
#include <memory>

namespace sla::formats {

class TableRows {
public:
    virtual ~TableRows() = default;
    virtual void begin(ByteBuffer& out) = 0;
    virtual void write(const store::RowRef& place, const store::Event& event, ByteBuffer& out) = 0;
    virtual void end(ByteBuffer& out) = 0;
    // Names and times as the session has them now. Of another session the first rows have no deltas.
    virtual void refresh(const store::Session& session) = 0;

    [[nodiscard]] std::uint64_t rows() const { return rows_; }

protected:
    std::uint64_t rows_ = 0;
};

// How wide columns of text are, which must be known before the rows are: by what is selected, or for whatever may come.
enum class Widths { kOfSelection, kOfAnything };

// `extra` may be null.
std::unique_ptr<TableRows> make_table_rows(const store::Session& session, const analysis::Selection& selection,
                                           Format format, const ExtraColumns* extra, Widths widths = Widths::kOfSelection);
std::unique_ptr<TableRows> make_people_rows(const store::Session& session, const analysis::Selection& selection,
                                            const ExtraColumns* extra, Widths widths = Widths::kOfSelection);

}  // namespace sla::formats
