// What a PageReader could not read: found once, told once, kept for who asks.
#include "proto/base/how_many.h"
#include "viewer/ingest/pages/page_reader.h"

#include <algorithm>
#include <utility>

namespace sla::ingest {

void PageReader::check(std::size_t chunk) {
    if (chunk >= checked_.size()) checked_.resize(chunk + 1);
    if (checked_[chunk] || ledger_->rows_in_memory(chunk) != nullptr) return;
    checked_[chunk] = true;
    open_chunks(*ledger_, reader_);
    if (reader_ && reader_->is_elsewhere() && !ledger_->is_gone(chunk)) return;
    const Result<void> right = reader_ ? reader_->check(ledger_->place_of(chunk)) : damaged("the file cannot be opened");
    if (right) return;
    {
        const std::lock_guard lock(mutex_);
        note_damage(chunk, unreadable_parts(*ledger_, chunk, right.error().message), false);
    }
    report_damage();
}

bool PageReader::is_unreadable(ChannelId channel, std::uint32_t chunk, Look look) {
    if (look == Look::kCheck) check(chunk);
    const std::lock_guard lock(mutex_);
    const auto known = damaged_.find({chunk, channel});
    return known != damaged_.end() && known->second;
}

void PageReader::note_damage(std::size_t chunk, std::vector<UnreadableRows> rows, bool may_come) {
    std::erase_if(rows, [&](const UnreadableRows& one) {
        const auto [known, is_new] = damaged_.try_emplace({chunk, one.channel}, false);
        known->second |= !may_come;
        return !is_new;
    });
    if (!rows.empty()) damage_.push_back({std::move(rows), ""});
}

void PageReader::report_damage() {
    std::vector<Damage> damage;
    std::vector<std::string> news;
    {
        const std::lock_guard lock(mutex_);
        damage.swap(damage_);
        news.swap(news_);
    }
    for (std::string& one : news) session_.add_note({0, std::move(one), false});
    for (const Damage& one : damage) {
        if (one.rows.empty()) {
            if (on_damage) on_damage(one.text);
            session_.add_note({0, one.text, true});
            continue;
        }
        std::map<std::string, std::vector<UnreadableRows>> by_cause;
        for (const UnreadableRows& rows : one.rows) by_cause[rows.why].push_back(rows);
        for (const auto& [why, rows] : by_cause) report(rows);
    }
}

// A chunk may hold some of hundreds of channels: one line for all.
void PageReader::report(const std::vector<UnreadableRows>& rows) {
    std::uint64_t events = 0;
    std::uint64_t from = store::kNever;
    for (const UnreadableRows& one : rows) {
        events += one.events;
        from = std::min(from, one.tick);
    }
    std::string text;
    if (const store::Lane* lane = session_.lane(rows.front().channel)) text = "'" + lane->channel().name + "'";
    if (rows.size() > 1) text += " and " + how_many(rows.size() - 1, "more channel");
    text += ": " + in_words(events, rows.front().why);
    if (on_damage) on_damage(text);
    session_.add_note({from, std::move(text), true});
}

}  // namespace sla::ingest
