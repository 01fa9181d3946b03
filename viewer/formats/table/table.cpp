#include "viewer/formats/table/table.h"

#include "viewer/analysis/delta_tracker.h"
#include "viewer/formats/names.h"
#include "viewer/formats/table/delimited_rows.h"
#include "viewer/formats/table/row_writer.h"
#include "viewer/formats/table/table_rows.h"
#include "viewer/formats/write_rows.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace sla::formats {

namespace {

constexpr std::size_t kMaxName = 40;
constexpr std::size_t kUsualName = 20;

std::size_t name_width(const analysis::Selection& selection, const store::Session& session, bool source) {
    std::size_t width = 7;
    for (const store::Lane* lane : selection.lanes) {
        width = std::max(width, source ? source_text(session, *lane).size() : lane->channel().name.size());
    }
    return std::min(width, kMaxName);
}

std::vector<Column> table_columns(const analysis::Selection& selection, const store::Session& session,
                                  const ExtraColumns* extra) {
    std::vector<Column> columns = {{"index", 9, true},
                                   {"tick", 18, true},
                                   {"time_ns", 18, true},
                                   {"source", name_width(selection, session, true), false},
                                   {"thread", 16, false},
                                   {"channel", name_width(selection, session, false), false},
                                   {"kind", 5, false},
                                   {"value", 12, true},
                                   {"text", 24, false},
                                   {"delta_any_ns", 16, true},
                                   {"delta_channel_ns", 16, true},
                                   {"error_ns", 10, true}};
    if (extra != nullptr) columns.insert(columns.end(), extra->columns().begin(), extra->columns().end());
    return columns;
}

// Names are made ready once.
class ColumnRows final : public TableRows {
public:
    ColumnRows(const store::Session& session, std::unique_ptr<RowWriter> writer, const ExtraColumns* extra)
        : session_(&session), writer_(std::move(writer)), extra_(extra), clock_(session.clock()), deltas_(session.clock()) {
        for (int kind = 0; kind <= static_cast<int>(wire::Kind::kGap); ++kind) {
            kinds_.push_back(writer_->prepare(wire::kind_name(static_cast<wire::Kind>(kind))));
        }
    }

    void begin(ByteBuffer& out) override { writer_->begin(out); }
    void write(const store::RowRef& place, const store::Event& event, ByteBuffer& out) override {
        Names& names = names_of(*place.lane);
        writer_->begin_row(out);
        writer_->number(out, rows_++);
        writer_->number(out, event.tick);
        writer_->ns(out, clock_.to_ps(event.tick));
        writer_->ready(out, names.source);
        writer_->ready(out, thread_of(event.thread));
        writer_->ready(out, names.channel);
        writer_->ready(out, kinds_[static_cast<std::size_t>(event.kind())]);
        writer_->value(out, event.code, event.value);
        text(place, event, names, out);
        const auto deltas = deltas_.next(names.last, event.tick, event.thread);
        time(deltas.has_any, ps_of(deltas.any), out);
        time(deltas.has_channel, ps_of(deltas.channel), out);
        time(deltas.has_any || deltas.has_channel, deltas.error_ps, out);
        if (extra_ != nullptr) extra_->write(place, *writer_, out);
        writer_->end_row(out);
    }
    void end(ByteBuffer& out) override { writer_->end(out); }

    void refresh(const store::Session& session) override {
        clock_ = session.clock();
        threads_.clear();
        last_thread_text_ = nullptr;
        if (&session != session_) {
            session_ = &session;
            names_.clear();
            recent_ = {};
            deltas_ = analysis::DeltaTracker(clock_);
            return;
        }
        deltas_.set_clock(clock_);
        for (auto& [lane, names] : names_) describe(*lane, names);
    }

private:
    struct Names {
        std::string source;
        std::string channel;
        bool has_text = false;  // any event of the lane may have one
        analysis::DeltaTracker::Stamp last;
    };

    struct Recent {
        const store::Lane* lane = nullptr;
        Names* names = nullptr;
    };

    Names& names_of(const store::Lane& lane) {
        Recent& recent = recent_[lane.channel().id.value % recent_.size()];
        if (recent.lane != &lane) recent = {&lane, &find_names(lane)};
        return *recent.names;
    }
    Names& find_names(const store::Lane& lane) {
        const auto [at, fresh] = names_.try_emplace(&lane);
        if (fresh) describe(lane, at->second);
        return at->second;
    }
    void describe(const store::Lane& lane, Names& names) {
        names.source = writer_->prepare(source_text(*session_, lane));
        names.channel = writer_->prepare(lane.channel().name);
        names.last.host = session_->errors_of(lane);
        names.has_text = lane.has_texts() || !lane.channel().format.empty() || !lane.gaps().empty();
    }
    std::string_view thread_of(std::uint32_t id) {
        if (id != last_thread_ || last_thread_text_ == nullptr) {
            const auto [at, fresh] = threads_.try_emplace(id);
            if (fresh) at->second = writer_->prepare(thread_text(*session_, id));
            last_thread_ = id;
            last_thread_text_ = &at->second;
        }
        return *last_thread_text_;
    }
    void text(const store::RowRef& place, const store::Event& event, const Names& names, ByteBuffer& out) {
        scratch_.clear();
        if (names.has_text) place.lane->append_text(place.index, scratch_);
        if (scratch_.empty() && event.kind() != wire::Kind::kText) {
            writer_->empty(out);
        } else {
            writer_->text(out, scratch_);
        }
    }
    [[nodiscard]] std::int64_t ps_of(std::uint64_t ticks) const {
        return clock_.ticks_to_ps(static_cast<std::int64_t>(ticks));
    }
    void time(bool is_known, std::int64_t ps, ByteBuffer& out) {
        if (is_known) {
            writer_->ns(out, ps);
        } else {
            writer_->empty(out);
        }
    }

    const store::Session* session_;
    std::unique_ptr<RowWriter> writer_;
    const ExtraColumns* extra_;
    time::ClockMap clock_;
    analysis::DeltaTracker deltas_;
    std::vector<std::string> kinds_;
    std::unordered_map<const store::Lane*, Names> names_;
    std::array<Recent, 256> recent_;  // spares most rows the look into names_
    std::unordered_map<std::uint32_t, std::string> threads_;
    std::uint32_t last_thread_ = 0;
    const std::string* last_thread_text_ = nullptr;
    std::string scratch_;
};

// `form` has the same columns.
Result<std::uint64_t> write_delimited(analysis::EventWalk& walk, TableRows& form, DelimitedRows rows, ByteBuffer& buffer,
                                      Output& output) {
    form.begin(buffer);
    const auto write = [&] {
        const store::MergedRows::Row* row = walk.next_row();
        if (row == nullptr) return false;
        rows.write(*row, *walk.lanes()[row->lane], buffer);
        return true;
    };
    const Result<void> done = write_rows(walk, write, buffer, output);
    return done.ok() ? Result<std::uint64_t>(rows.rows()) : done.error();
}

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
    return std::make_unique<ColumnRows>(session, make_row_writer(format, std::move(columns)), extra);
}

Result<std::uint64_t> write_table(const store::Session& session, const analysis::Selection& selection, Format format,
                                  Output& output, const Progress& progress, const ExtraColumns* extra) {
    analysis::EventWalk walk(session, selection, progress);
    ByteBuffer buffer;
    const bool is_delimited = extra == nullptr && (format == Format::kCsv || format == Format::kTsv);
    const auto rows = make_table_rows(session, selection, format, extra);
    const auto count = is_delimited
                           ? write_delimited(walk, *rows, DelimitedRows(session, format == Format::kTsv), buffer, output)
                           : write_by(*rows, walk, buffer, output);
    if (!count.ok()) return count.error();
    if (auto finished = output.finish(buffer.view()); !finished.ok()) return finished.error();
    return count;
}

}  // namespace sla::formats
