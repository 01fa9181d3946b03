#include "tests/support/capture_builder.h"

#include "proto/capture/capture_writer.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/ingest/frame_applier.h"

#include <algorithm>
#include <cmath>

namespace sla::support {

namespace {

std::string bytes_of(const wire::Frame& frame) {
    return frame.SerializeAsString();
}

std::string clock_frame(std::uint64_t tick, double hz, std::uint64_t start_tick, std::uint32_t stamp_ticks) {
    wire::Frame frame;
    auto* clock = frame.mutable_clock();
    clock->set_tick(tick);
    const double ns = std::round((static_cast<double>(tick) - static_cast<double>(start_tick)) * 1e9 / hz);
    clock->set_monotonic_raw_ns(1'000'000'000 + static_cast<std::int64_t>(ns));
    clock->set_realtime_ns(1'700'000'000'000'000'000 + static_cast<std::int64_t>(ns));
    clock->set_stamp_ticks(stamp_ticks);
    return bytes_of(frame);
}

std::string watermark_frame(std::uint64_t tick) {
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(tick);
    return bytes_of(frame);
}

}  // namespace

CaptureBuilder::CaptureBuilder(std::uint64_t start_tick, double hz, std::uint32_t stamp_ticks) : start_tick_(start_tick) {
    wire::Frame frame;
    auto* hello = frame.mutable_hello();
    hello->set_version(1);
    hello->set_agent("capture-builder");
    hello->set_capture_id(0xb01dull);
    hello->set_start_tick(start_tick);
    hello->set_host("test");
    preamble_.push_back(bytes_of(frame));
    preamble_.push_back(clock_frame(start_tick, hz, start_tick, stamp_ticks));
    preamble_.push_back(clock_frame(start_tick + static_cast<std::uint64_t>(hz * 10), hz, start_tick, stamp_ticks));
    source("program");
    thread("main", 4242);
}

std::uint32_t CaptureBuilder::source(std::string_view name, BuilderSource kind, std::uint32_t pid) {
    wire::Frame frame;
    auto* source = frame.mutable_source();
    source->set_id(++sources_);
    source->set_kind(static_cast<wire::SourceKind>(kind));
    source->set_name(std::string(name));
    source->set_pid(pid);
    preamble_.push_back(bytes_of(frame));
    return sources_;
}

std::uint32_t CaptureBuilder::thread(std::string_view name, std::uint32_t tid, std::uint32_t source) {
    wire::Frame frame;
    auto* thread = frame.mutable_thread();
    thread->set_id(++threads_);
    thread->set_source(source);
    thread->set_tid(tid);
    thread->set_name(std::string(name));
    preamble_.push_back(bytes_of(frame));
    return threads_;
}

std::uint32_t CaptureBuilder::channel(std::string_view name, std::uint32_t source, std::string_view format) {
    wire::Frame frame;
    auto* channel = frame.mutable_channel();
    channel->set_id(++channels_);
    channel->set_source(source);
    channel->set_name(std::string(name));
    channel->set_format(std::string(format));
    preamble_.push_back(bytes_of(frame));
    return channels_;
}

CaptureBuilder::Row& CaptureBuilder::add(std::uint32_t channel, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                                         std::uint32_t thread) {
    Row row;
    row.tick = tick;
    row.code = code;
    row.value = value;
    row.thread = thread;
    auto& rows = rows_[channel];
    rows.push_back(std::move(row));
    return rows.back();
}

void CaptureBuilder::event(std::uint32_t channel, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                           std::uint32_t thread) {
    add(channel, tick, code, value, thread);
}

void CaptureBuilder::tick(std::uint32_t channel, std::uint64_t tick, std::int64_t value, std::uint32_t thread) {
    event(channel, tick, SLA_CODE_TICK_VALUE, static_cast<std::uint64_t>(value), thread);
}

void CaptureBuilder::begin(std::uint32_t channel, std::uint64_t tick, std::uint32_t thread) {
    event(channel, tick, SLA_CODE_BEGIN, 0, thread);
}

void CaptureBuilder::end(std::uint32_t channel, std::uint64_t tick, std::uint32_t thread) {
    event(channel, tick, SLA_CODE_END, 0, thread);
}

void CaptureBuilder::span(std::uint32_t channel, std::uint64_t from, std::uint64_t until, std::uint32_t thread) {
    begin(channel, from, thread);
    end(channel, until, thread);
}

void CaptureBuilder::level(std::uint32_t channel, std::uint64_t tick, bool high) {
    event(channel, tick, SLA_CODE_LEVEL, high ? 1 : 0);
}

void CaptureBuilder::value(std::uint32_t channel, std::uint64_t tick, std::int64_t value) {
    event(channel, tick, SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(value));
}

void CaptureBuilder::number(std::uint32_t channel, std::uint64_t tick, double number) {
    event(channel, tick, SLA_CODE_VALUE_FLOAT, wire::as_bits(number));
}

void CaptureBuilder::text(std::uint32_t channel, std::uint64_t tick, std::string_view text) {
    Row& row = add(channel, tick, SLA_CODE_TEXT, 0, 1);
    row.extra.text = std::string(text);
    row.has_extra = true;
}

void CaptureBuilder::detail(std::uint32_t channel, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                            std::uint64_t detail0, std::uint64_t detail1) {
    Row& row = add(channel, tick, code, value, 1);
    row.extra.detail[0] = detail0;
    row.extra.detail[1] = detail1;
    row.has_extra = true;
}

void CaptureBuilder::place(std::uint32_t channel, std::uint64_t tick, std::uint64_t address, std::string_view name) {
    Row& row = add(channel, tick, SLA_CODE_TICK_VALUE, address, 1);
    row.extra.text = std::string(name);
    row.has_extra = true;
}

void CaptureBuilder::gap(std::uint32_t channel, std::uint64_t tick, std::uint64_t lost, wire::LossCause cause,
                         std::uint64_t until_tick, std::uint32_t thread) {
    Row& row = add(channel, tick, SLA_CODE_GAP, lost, thread);
    row.extra.cause = cause;
    row.extra.until_tick = until_tick;
    row.has_extra = true;
}

void CaptureBuilder::leave_open(std::uint64_t tick) {
    open_watermark_ = tick;
}

void CaptureBuilder::append_batches(std::uint32_t channel, const std::vector<Row>& rows, std::size_t& at,
                                    std::uint64_t until, std::vector<std::string>& out) const {
    while (at < rows.size() && rows[at].tick <= until) {
        wire::EventBatch batch;
        batch.channel = ChannelId{channel};
        batch.first_index = at;
        for (; at < rows.size() && rows[at].tick <= until && batch.size() < 4000; ++at) {
            const Row& row = rows[at];
            batch.add(row.tick, row.code, row.value, row.thread);
            if (row.has_extra) batch.attach(row.extra);
        }
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        out.push_back(bytes_of(frame));
    }
}

std::vector<std::string> CaptureBuilder::frames(std::size_t slices) const {
    std::vector<std::string> out = preamble_;
    std::map<std::uint32_t, std::vector<Row>> put_right;  // of channels whose rows came out of order
    std::map<std::uint32_t, const std::vector<Row>*> sorted;
    std::map<std::uint32_t, std::size_t> at;
    std::uint64_t last = start_tick_;
    const auto is_earlier = [](const Row& a, const Row& b) { return a.tick < b.tick; };
    for (const auto& [channel, rows] : rows_) {
        sorted[channel] = &rows;
        if (!std::is_sorted(rows.begin(), rows.end(), is_earlier)) {
            std::vector<Row>& copy = put_right[channel] = rows;
            std::stable_sort(copy.begin(), copy.end(), is_earlier);
            sorted[channel] = &copy;
        }
        last = std::max(last, sorted[channel]->back().tick);
    }
    const std::uint64_t width = (last - start_tick_) / slices + 1;
    for (std::size_t slice = 1; slice <= slices; ++slice) {
        const std::uint64_t until = slice == slices ? last : std::min(last, start_tick_ + slice * width);
        for (const auto& [channel, rows] : sorted) append_batches(channel, *rows, at[channel], until, out);
        out.push_back(watermark_frame(open_watermark_ == 0 ? until : std::min(until, open_watermark_)));
    }
    if (open_watermark_ != 0) return out;
    wire::Frame frame;
    frame.mutable_end()->set_tick(last);
    frame.mutable_end()->set_reason("complete");
    out.push_back(bytes_of(frame));
    return out;
}

std::string CaptureBuilder::stream() const {
    std::string out;
    for (const std::string& message : frames()) {
        wire::Frame frame;
        SLA_CHECK(frame.ParseFromString(message));
        out += wire::encode_frame(frame);
    }
    return out;
}

void CaptureBuilder::fill(store::Session& session) const {
    ingest::FrameApplier applier(session);
    for (const std::string& message : frames()) applier.apply(std::string_view(message));
}

void CaptureBuilder::write(const std::string& path) const {
    auto writer = capture::CaptureWriter::create(path);
    SLA_CHECK(writer.ok());
    for (const std::string& message : frames()) {
        wire::Frame frame;
        SLA_CHECK(frame.ParseFromString(message));
        capture::FrameFacts facts;
        if (frame.has_batch()) {
            facts = {frame.batch().channel(), frame.batch().first_tick(), frame.batch().last_tick(), frame.batch().count()};
        }
        SLA_CHECK(writer->append(message, facts).ok());
    }
    SLA_CHECK(writer->finish().ok());
}

}  // namespace sla::support
