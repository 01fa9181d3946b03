#include "viewer/formats/table/table.h"

#include "proto/base/cores.h"
#include "viewer/formats/names.h"
#include "viewer/formats/table/rows/block_queue.h"
#include "viewer/formats/table/rows/block_table.h"
#include "viewer/formats/table/rows/column_rows.h"
#include "viewer/formats/table/rows/delimited_rows.h"
#include "viewer/formats/table/rows/json_rows.h"
#include "viewer/formats/table/rows/row_blocks.h"
#include "viewer/formats/table/rows/row_writer.h"
#include "viewer/formats/table/rows/table_rows.h"
#include "viewer/formats/write_rows.h"

#include <algorithm>
#include <utility>

namespace sla::formats {

namespace {

constexpr std::size_t kMaxName = 40;
constexpr std::size_t kUsualName = 20;
constexpr std::size_t kMostThreads = 5;  // more than one walk over rows keeps busy

template <typename NameOf>
std::size_t name_width(const analysis::Selection& selection, NameOf name_of) {
    std::size_t width = 7;
    for (const store::Lane* lane : selection.lanes) width = std::max(width, name_of(*lane).size());
    return std::min(width, kMaxName);
}

std::vector<Column> table_columns(const analysis::Selection& selection, const store::Session& session,
                                  const ExtraColumns* extra) {
    const SourceTexts sources(session);
    const auto source_of = [&](const store::Lane& lane) { return sources.of(lane); };
    const auto channel_of = [](const store::Lane& lane) -> const std::string& { return lane.channel().name; };
    std::vector<Column> columns = {{"index", 9, true},
                                   {"tick", 18, true},
                                   {"time_ns", 18, true},
                                   {"source", name_width(selection, source_of), false},
                                   {"thread", 16, false},
                                   {"channel", name_width(selection, channel_of), false},
                                   {"kind", 5, false},
                                   {"value", 12, true},
                                   {"text", 24, false},
                                   {"delta_any_ns", 16, true},
                                   {"delta_channel_ns", 16, true},
                                   {"error_ns", 10, true}};
    if (extra != nullptr) columns.insert(columns.end(), extra->columns().begin(), extra->columns().end());
    return columns;
}

std::unique_ptr<BlockFormat> make_block_format(const std::vector<Column>& columns, const time::ClockMap& clock,
                                               Format format) {
    if (format == Format::kJson || format == Format::kJsonl)
        return std::make_unique<JsonRows>(clock, format == Format::kJsonl);
    auto writer = make_row_writer(format, columns);
    if (format == Format::kText) return make_column_blocks(clock, std::move(writer));
    ByteBuffer head;
    writer->begin(head);
    return std::make_unique<DelimitedRows>(clock, format == Format::kTsv, std::string(head.view()));
}

// Small pieces go on at once, but to a file, which takes large ones faster.
Result<void> hand_over(ByteBuffer& text, ByteBuffer& buffer, Output& output) {
    if (!output.wants_whole_blocks() && buffer.size() == 0) return output.take(text);
    buffer.put(text.view());
    text.clear();
    if (output.wants_whole_blocks() && buffer.size() < Output::kPiece) return {};
    return output.take(buffer);
}

Result<std::uint64_t> write_blocks(const store::Session& session, analysis::EventWalk& walk, BlockQueue& queue,
                                   ByteBuffer& buffer, Output& output) {
    RowBlocks rows(session, walk, queue.format());
    for (bool is_more = true; is_more && !output.is_closed();) {
        auto block = queue.spare();
        is_more = rows.fill(*block);
        if (walk.stopped()) return unavailable("stopped; nothing was written");
        queue.put(std::move(block));
        while (auto done = queue.take(!is_more)) {
            if (auto written = hand_over(done->out, buffer, output); !written.ok()) return written.error();
            queue.give_back(std::move(done));
        }
    }
    return rows.rows();
}

// Further columns are asked row by row.
Result<std::uint64_t> write_by(TableRows& rows, analysis::EventWalk& walk, ByteBuffer& buffer, Output& output) {
    rows.begin(buffer);
    const auto write = [&] {
        const auto place = walk.next();
        if (!place) return false;
        rows.write(*place, walk.event(), buffer);
        return true;
    };
    const Result<void> done = write_rows(walk, write, buffer, output);
    if (!done.ok()) return done.error();
    rows.end(buffer);
    return rows.rows();
}

}  // namespace

std::vector<std::string> table_column_names() {
    std::vector<std::string> names;
    for (const Column& column : table_columns({}, store::Session(), nullptr)) names.push_back(column.name);
    return names;
}

std::unique_ptr<TableRows> make_table_rows(const store::Session& session, const analysis::Selection& selection,
                                           Format format, const ExtraColumns* extra, Widths widths) {
    std::vector<Column> columns = table_columns(selection, session, extra);
    for (Column& column : columns) {
        const bool is_name = column.name == "source" || column.name == "channel";
        if (is_name && widths == Widths::kOfAnything) column.width = kUsualName;
    }
    const Sources sources = widths == Widths::kOfAnything ? Sources::kMoreMayCome : Sources::kAllKnown;
    return make_column_rows(session, make_row_writer(format, std::move(columns)), extra, sources);
}

Result<std::uint64_t> write_block_table(const store::Session& session, const analysis::Selection& selection, Format format,
                                        Output& output, const Progress& progress, std::size_t threads) {
    analysis::EventWalk walk(session, selection, progress);
    const auto make_format = [columns = table_columns(selection, session, nullptr), clock = session.clock(), format] {
        return make_block_format(columns, clock, format);
    };
    ByteBuffer buffer;
    BlockQueue queue(make_format, threads);
    queue.format().begin(buffer);
    const auto rows = write_blocks(session, walk, queue, buffer, output);
    if (!rows.ok()) return rows;
    queue.format().end(buffer);
    if (auto finished = output.finish(buffer.view()); !finished.ok()) return finished.error();
    return rows;
}

Result<std::uint64_t> write_table(const store::Session& session, const analysis::Selection& selection, Format format,
                                  Output& output, const Progress& progress, const ExtraColumns* extra) {
    if (extra == nullptr) {
        const std::size_t others = std::min(usable_cores(), kMostThreads) - 1;
        return write_block_table(session, selection, format, output, progress, others);
    }
    analysis::EventWalk walk(session, selection, progress);
    ByteBuffer buffer;
    const auto rows = make_table_rows(session, selection, format, extra);
    const auto count = write_by(*rows, walk, buffer, output);
    if (!count.ok()) return count.error();
    if (auto finished = output.finish(buffer.view()); !finished.ok()) return finished.error();
    return count;
}

}  // namespace sla::formats
