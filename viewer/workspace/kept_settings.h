// The file of the settings, as one window reads it at its start and writes it at its end. Several windows may be open: only what
// was changed in this one takes the place of what stands there by then.
#pragma once

#include "viewer/workspace/settings.h"

#include <string>
#include <utility>

namespace sla::workspace {

class KeptSettings {
public:
    explicit KeptSettings(std::string path) : path_(std::move(path)) {}

    // As load_settings; a file that cannot be read is set aside by save().
    Result<Settings> load();
    // What the window begins with, where that is not what was read: what was asked for at this start counts for it alone.
    void begin_with(const Settings& settings) { begun_with_ = settings; }
    Result<void> save(const Settings& ours) const;

private:
    std::string path_;
    Settings read_;
    Settings begun_with_;
};

// What one window made of `before`, and others of the same meanwhile.
Settings merged_settings(const Settings& before, const Settings& ours, Settings theirs);

}  // namespace sla::workspace
