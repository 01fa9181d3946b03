#include "viewer/formats/table/interval_log.h"

#include <algorithm>
#include <utility>

namespace sla::formats {

Result<IntervalLog> IntervalLog::open(const std::vector<std::string>& names, Format format, const std::string& path) {
    constexpr std::size_t kTimeWidth = 15;
    constexpr std::size_t kCountWidth = 12;
    auto out = Output::open(path);
    if (!out.ok()) return out.error();
    std::vector<Column> columns{{"time_ns", kTimeWidth, true}, {"interval_ns", kTimeWidth, true}};
    for (const std::string& name : names) columns.push_back({name, std::max(name.size(), kCountWidth), true});
    columns.push_back({"estimated"});
    return IntervalLog(std::move(*out), names, make_row_writer(format, std::move(columns)));
}

Result<void> IntervalLog::add(std::int64_t at_ps, std::int64_t interval_ps,
                              std::span<const std::optional<std::uint64_t>> counts, std::span<const std::size_t> estimates) {
    std::string estimated;
    for (const std::size_t i : estimates) estimated += (estimated.empty() ? "" : " ") + names_[i];
    ByteBuffer buffer;
    if (rows_++ == 0) writer_->begin(buffer);
    writer_->begin_row(buffer);
    writer_->ns(buffer, at_ps);
    writer_->ns(buffer, interval_ps);
    for (const auto& count : counts) count ? writer_->number(buffer, *count) : writer_->empty(buffer);
    writer_->text(buffer, estimated);
    writer_->end_row(buffer);
    return out_.write(buffer.view());
}

Result<void> IntervalLog::finish() {
    ByteBuffer buffer;
    if (rows_ == 0) writer_->begin(buffer);
    writer_->end(buffer);
    return out_.finish(buffer.view());
}

}  // namespace sla::formats
