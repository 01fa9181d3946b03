#include "viewer/formats/table/rows/column_rows.h"

#include "viewer/analysis/delta_tracker.h"
#include "viewer/formats/loss_text.h"
#include "viewer/formats/names.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sla::formats {

namespace {

// A row of the contract's columns; names as the writer has prepared them.
struct Fields {
    std::uint64_t index = 0;
    std::uint64_t tick = 0;
    std::array<std::string_view, 4> names;  // source, thread, channel, kind
    std::uint8_t code = 0;
    std::uint64_t value = 0;
    std::string_view text;
    analysis::DeltaTracker::TickDeltas deltas;
};

void put_time(bool is_known, std::int64_t ps, RowWriter& writer, ByteBuffer& out) {
    if (is_known) {
        writer.ns(out, ps);
    } else {
        writer.empty(out);
    }
}

void put_fields(const Fields& row, const time::ClockMap& clock, RowWriter& writer, ByteBuffer& out) {
    const auto ps_of = [&](std::uint64_t ticks) { return clock.ticks_to_ps(static_cast<std::int64_t>(ticks)); };
    const bool has_any = row.deltas.has_any;
    const bool has_channel = row.deltas.has_channel;
    writer.number(out, row.index);
    writer.number(out, row.tick);
    writer.ns(out, clock.to_ps(row.tick));
    for (const std::string_view name : row.names) writer.ready(out, name);
    writer.value(out, row.code, row.value);
    if (row.text.empty() && wire::kind_of(row.code) != wire::Kind::kText) {
        writer.empty(out);
    } else {
        writer.text(out, row.text);
    }
    put_time(has_any, ps_of(row.deltas.any), writer, out);
    put_time(has_channel, ps_of(row.deltas.channel), writer, out);
    put_time(has_any || has_channel, row.deltas.error_ps, writer, out);
}

// Names are made ready once.
class ColumnRows final : public TableRows {
public:
    ColumnRows(const store::Session& session, std::unique_ptr<RowWriter> writer, const ExtraColumns* extra, Sources sources)
        : session_(&session), writer_(std::move(writer)), extra_(extra), clock_(session.clock()), deltas_(session) {
        if (sources == Sources::kAllKnown) apart_.emplace(session);
        for (int kind = 0; kind <= static_cast<int>(wire::Kind::kGap); ++kind) {
            kinds_.push_back(writer_->prepare(wire::kind_name(static_cast<wire::Kind>(kind))));
        }
    }

    void begin(ByteBuffer& out) override { writer_->begin(out); }
    void write(const store::RowRef& place, const store::Event& event, ByteBuffer& out) override {
        Names& names = names_of(*place.lane);
        text_.clear();
        if (names.has_text || event.code == SLA_CODE_GAP) place.lane->append_text(place.index, text_);
        if (event.code == SLA_CODE_GAP) append_loss_end(*place.lane, place.index, text_);
        Fields row;
        row.index = rows_++;
        row.tick = event.tick;
        row.names = {names.source, thread_of(event.thread), names.channel, kinds_[static_cast<std::size_t>(event.kind())]};
        row.code = event.code;
        row.value = event.value;
        row.text = text_;
        row.deltas = deltas_.next(names.last, event.tick, event.thread);
        writer_->begin_row(out);
        put_fields(row, clock_, *writer_, out);
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
            deltas_ = analysis::DeltaTracker(session);
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
        names.source = writer_->prepare(apart_ ? apart_->of(lane) : followed_.of(*session_, lane));
        names.channel = writer_->prepare(lane.channel().name);
        names.last.host = session_->errors_of(lane);
        names.has_text = may_have_text(lane);
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

    const store::Session* session_;
    std::optional<SourceTexts> apart_;
    FollowedSourceTexts followed_;  // where they are not apart
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
    std::string text_;
};

class ColumnBlocks final : public BlockFormat {
public:
    ColumnBlocks(const time::ClockMap& clock, std::unique_ptr<RowWriter> writer)
        : clock_(clock), writer_(std::move(writer)) {}

    [[nodiscard]] RowNames name(const std::array<std::string, 4>& parts) const override {
        RowNames names;
        for (std::size_t i = 0; i < parts.size(); ++i) names.parts[i] = writer_->prepare(parts[i]);
        return names;
    }
    void begin(ByteBuffer& out) override { writer_->begin(out); }
    void end(ByteBuffer& out) override { writer_->end(out); }
    void write(RowBlock& block) override {
        std::uint64_t tick_before = block.tick_before;
        std::string_view texts = block.texts;
        Fields row;
        row.index = block.first;
        for (const BlockRow& from : block.rows()) {
            row.tick = from.tick;
            for (std::size_t i = 0; i < row.names.size(); ++i) row.names[i] = from.names->parts[i];
            row.code = from.code;
            row.value = from.value;
            row.text = texts.substr(0, from.text_bytes);
            texts.remove_prefix(from.text_bytes);
            row.deltas = {from.tick - std::exchange(tick_before, from.tick), from.channel_ticks, from.has_any,
                          from.has_channel, from.error_ps};
            writer_->begin_row(block.out);
            put_fields(row, clock_, *writer_, block.out);
            writer_->end_row(block.out);
            ++row.index;
        }
    }

private:
    time::ClockMap clock_;
    std::unique_ptr<RowWriter> writer_;
};

}  // namespace

std::unique_ptr<TableRows> make_column_rows(const store::Session& session, std::unique_ptr<RowWriter> writer,
                                            const ExtraColumns* extra, Sources sources) {
    return std::make_unique<ColumnRows>(session, std::move(writer), extra, sources);
}

std::unique_ptr<BlockFormat> make_column_blocks(const time::ClockMap& clock, std::unique_ptr<RowWriter> writer) {
    return std::make_unique<ColumnBlocks>(clock, std::move(writer));
}

}  // namespace sla::formats
