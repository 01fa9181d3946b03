// TopWatch: what `sla top` looks at, moment by moment: an agent, or what a fleet's hosts publish.
#pragma once

#include "proto/base/result.h"
#include "viewer/cli/text/top_table.h"

#include <functional>
#include <string>
#include <utility>

namespace sla::cli {

class TopWatch {
public:
    using Each = std::function<bool()>;

    TopWatch() = default;
    virtual ~TopWatch() = default;
    TopWatch(const TopWatch&) = delete;
    TopWatch& operator=(const TopWatch&) = delete;

    // each() at every moment, until it is false, there are no more, or Ctrl-C.
    virtual Result<void> run(const Each& each) = 0;
    // Names, and a ledger of each channel as of now().
    [[nodiscard]] virtual const store::Session& session() const = 0;
    // What a screen says above the table, some lines.
    [[nodiscard]] virtual std::string head() const = 0;

    [[nodiscard]] const Sample& before() const { return before_; }
    [[nodiscard]] const Sample& now() const { return now_; }
    [[nodiscard]] bool has_rates() const { return before_.tick != 0; }

protected:
    void take(Sample sample) { before_ = std::exchange(now_, std::move(sample)); }
    void forget_samples() { before_ = now_ = {}; }

private:
    Sample before_;
    Sample now_;
};

}  // namespace sla::cli
