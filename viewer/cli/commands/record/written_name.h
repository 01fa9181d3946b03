// Whether the file that is written still has its name.
#pragma once

#include "proto/base/file_identity.h"
#include "proto/base/result.h"

#include <string>

namespace sla::cli {

class WrittenName {
public:
    explicit WrittenName(const std::string& file) { note(file); }
    // `file`: what is written by now; a rotated recording goes through several.
    Result<void> look(const std::string& file) {
        if (file != name_) note(file);
        if (written_.is_at(name_)) return {};
        return unavailable("'" + name_ +
                           "' was removed, moved away or replaced while it was written: the recording has ended");
    }

private:
    void note(const std::string& file) {
        name_ = file;
        written_ = FileIdentity::of(file);
    }
    std::string name_;
    FileIdentity written_;
};

}  // namespace sla::cli
