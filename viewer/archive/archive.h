// Archive: a folder of Parquet files that captures are added to, each row once (README.md). One owner, one thread; one writer
// of a folder at a time, which a lock sees to.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/archive/losses.h"
#include "viewer/archive/manifest.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sla::archive {

struct AddPlan {
    std::string host;     // as it is called in the folder; other characters than letters, digits, _ and - become -
    std::string capture;  // likewise
    std::uint64_t until = store::kNever;  // ticks before it are final
    std::uint64_t part_rows = std::uint64_t{8} << 20;
    bool whole_parts = false;        // a part that is not full waits for a later run
    Found found;                     // the capture as the session has it
    std::function<bool()> is_sound;  // asked behind each part: false, rows could not be read, drops it. May be empty
};

struct AddReport {
    std::uint64_t parts = 0;  // new
    std::uint64_t rows = 0;
    std::uint64_t lost = 0;    // events that were gone before this run came: loss rows stand in their place
    std::uint64_t before = 0;  // the same, before the first part: there is no row of it
    Manifest manifest;
};

class Archive {
public:
    // Makes the folder when it is not there; where nothing comes into it, it goes again. kUnavailable: another program writes to it.
    static Result<Archive> open(const std::string& folder);
    Archive(Archive&& other) noexcept;
    Archive& operator=(Archive&&) = delete;
    ~Archive();

    // What the session has and the folder has not. An empty session: nothing of the capture is there any more.
    Result<AddReport> add(const store::Session& session, const AddPlan& plan, const analysis::Progress& progress = {});

private:
    struct Adding;

    Archive(std::string folder, int lock, bool is_new) : folder_(std::move(folder)), lock_(lock), is_new_(is_new) {}
    Result<void> remove_unlisted(const Manifest& manifest) const;
    // Reads the manifest, and finds out what is missing.
    Result<void> begin(Adding& adding) const;
    // False: that part waits for a later run.
    Result<bool> add_rows(Adding& adding, std::uint64_t first, std::uint64_t until) const;
    Result<void> add_losses(Adding& adding) const;
    Result<void> note_facts(Adding& adding) const;
    Result<formats::Output> open_part(const Adding& adding, std::uint64_t first, std::string& name) const;
    // A part that is in the folder is in the manifest, too.
    Result<void> list(Adding& adding, const std::string& name, const formats::ParquetPart& part, std::uint64_t bytes) const;
    // For a capture of which nothing else is there: the clock of its newest part.
    Result<void> borrow_clock(const Manifest& manifest, store::Session& session) const;

    std::string folder_;
    int lock_ = -1;
    bool is_new_ = false;  // the folder was not there
};

}  // namespace sla::archive
