// Opens something for every thread of processes that may be starting more of them meanwhile. What is opened is inherited by the
// threads its own begins, so one that was born since the list was made either has it already or never gets it, and nobody can
// tell which: when there are new ones all is dropped and opened anew.
//
//   list ─► open all ─► list again ─► nobody new: done
//             ▲               └─ somebody new ─┘ drop
#pragma once

#include "proto/base/result.h"

#include <sys/types.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sla::linux {

template <typename Opened>
struct OfThreads {
    Opened opened;
    bool is_whole = true;  // false: threads came faster than they could be opened; some may lack it
};

// list() -> std::vector<pid_t>; open(threads) -> Result<Opened>.
template <typename Opened, typename List, typename Open>
Result<OfThreads<Opened>> open_for_threads(List list, Open open) {
    constexpr int kMaxTries = 10;
    const auto sorted_list = [&] {
        std::vector<pid_t> threads = list();
        std::sort(threads.begin(), threads.end());
        return threads;
    };
    std::vector<pid_t> before = sorted_list();
    for (int attempt = 1;; ++attempt) {
        Result<Opened> opened = open(std::as_const(before));
        if (!opened) return opened.error();
        std::vector<pid_t> after = sorted_list();
        const bool is_whole = std::includes(before.begin(), before.end(), after.begin(), after.end());
        if (is_whole || attempt == kMaxTries) return OfThreads<Opened>{std::move(opened).value(), is_whole};
        before = std::move(after);
    }
}

}  // namespace sla::linux
