// Which file stands under a name: a file that is held open keeps its own, whatever is done to its name.
#pragma once

#include <sys/stat.h>

#include <string>

namespace sla {

class FileIdentity {
public:
    // Of nothing where nothing can be seen there.
    static FileIdentity of(const std::string& path) {
        FileIdentity identity;
        struct stat info {};
        if (::stat(path.c_str(), &info) != 0) return identity;
        identity.device_ = info.st_dev;
        identity.number_ = info.st_ino;
        identity.is_known_ = true;
        return identity;
    }
    [[nodiscard]] bool is_known() const { return is_known_; }
    [[nodiscard]] bool is_at(const std::string& path) const {
        const FileIdentity there = of(path);
        return is_known_ && there.is_known_ && there.device_ == device_ && there.number_ == number_;
    }

private:
    dev_t device_ = 0;
    ino_t number_ = 0;
    bool is_known_ = false;
};

}  // namespace sla
