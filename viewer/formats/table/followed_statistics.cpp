#include "viewer/formats/table/followed_statistics.h"

#include "viewer/formats/table/statistics_table.h"
#include "viewer/formats/table/value_table.h"

#include <utility>

namespace sla::formats {

void FollowedStatistics::begin(std::vector<Column> columns) {
    if (writer_ != nullptr) return;
    columns.insert(columns.begin(), {{"time_ns", 20, true}, {"until_ns", 20, true}});
    writer_ = make_row_writer(format_, std::move(columns));
    writer_->begin(buffer_);
}

void FollowedStatistics::begin_row(const Stretch& stretch) {
    writer_->begin_row(buffer_);
    writer_->ns(buffer_, stretch.begin_ps);
    writer_->ns(buffer_, stretch.until_ps);
}

SourceNaming FollowedStatistics::naming(const store::Session& session) {
    return [&](const store::Lane& lane) { return names_.of(session, lane); };
}

Result<void> FollowedStatistics::flush() {
    Result<void> written = output_.write(buffer_.view());
    buffer_.clear();
    return written;
}

Result<void> FollowedStatistics::add(const store::Session& session, const Stretch& stretch,
                                     const std::vector<analysis::StatisticsRow>& rows) {
    const std::vector<std::string> sources = sources_of(naming(session), rows);
    begin(statistics_columns(rows, sources));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        begin_row(stretch);
        put_statistics(rows[i], sources[i], *writer_, buffer_);
        writer_->end_row(buffer_);
    }
    return flush();
}

Result<void> FollowedStatistics::add(const store::Session& session, const Stretch& stretch,
                                     const std::vector<analysis::ValueStatisticsRow>& rows) {
    const std::vector<std::string> sources = sources_of_values(naming(session), rows);
    begin(value_columns(rows, sources));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        begin_row(stretch);
        put_values(rows[i], sources[i], *writer_, buffer_);
        writer_->end_row(buffer_);
    }
    return flush();
}

Result<void> FollowedStatistics::finish() {
    begin(of_ == Of::kTimes ? statistics_columns({}, {}) : value_columns({}, {}));
    writer_->end(buffer_);
    return output_.finish(buffer_.view());
}

}  // namespace sla::formats
