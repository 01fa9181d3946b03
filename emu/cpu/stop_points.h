// Where the guest shall stand still: for debuggers, steps and triggers. Addresses are linear.
//
//   before every instruction: stops_at(its address)       true: it does not run, the CPU exits with kStopPoint
//   behind every access:      accessed(address, ...)      or, where the CPU cannot see accesses, look_for_changes()
//
// The client fills it in between runs; the CPU asks from inside run(). One thread.
#pragma once

#include "emu/cpu/repeat.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace sla::cpu {

class StopPoints {
public:
    enum class Why : std::uint8_t { kCode, kData, kStep, kAsked, kMoment };
    struct Found {
        Why why = Why::kAsked;
        std::uint32_t address = 0;           // kData: of the watch
        bool read_only = false;              // kData: a watch for reads
        bool any_access = false;             // kData: a watch for reads and writes
        std::vector<std::uint64_t> steps{};  // kStep: what step() gave, of all that end there
    };
    struct Watch {
        std::uint32_t first = 0;
        std::uint32_t bytes = 1;
        bool on_read = false;
        bool on_write = true;

        friend bool operator==(const Watch&, const Watch&) = default;
    };
    using ReadByte = std::function<std::optional<std::uint8_t>(std::uint32_t linear)>;
    // When the next instruction begins.
    using Now = std::function<Moment()>;

    // Several may want the same address; it stops as long as one does.
    void add_code(std::uint32_t linear) { code_.insert(linear); }
    void remove_code(std::uint32_t linear);
    void add_watch(const Watch& watch) { watches_.push_back({watch, {}}); }
    void remove_watch(const Watch& watch);

    // A stop behind so many instructions, beside those that others want; whatever stops the guest is the end of all of them. Gives
    // that stop's number.
    std::uint64_t step(std::uint64_t instructions = 1) {
        steps_.push_back({++step_number_, instructions});
        return step_number_;
    }
    [[nodiscard]] bool stepping() const { return !steps_.empty(); }
    // A stop before the next instruction.
    void ask() { found_ = Found{}; }
    // The guest goes on: what stands there runs, stop point or not. Values of watched memory are noted.
    void go_on(std::optional<std::uint32_t> linear, const ReadByte& read);
    void note_values(const ReadByte& read);
    // For a search: that place and no other; and what others there are again.
    void keep_only_code(std::uint32_t linear) {
        code_ = {linear};
        watches_.clear();
    }
    void keep_points_of(const StopPoints& other) {
        code_ = other.code_;
        watches_ = other.watches_;
    }
    // That one and none of others.
    void cancel_step(std::uint64_t number) {
        std::erase_if(steps_, [number](const Step& step) { return step.number == number; });
    }
    // Before the first instruction that begins then or later; once. Needs to know the time. The block of code around it begins at
    // that other moment, where the CPU runs blocks.
    void stop_at_moment(Moment moment, Moment block) {
        moment_ = moment;
        block_ = block;
    }
    void forget_moment() { moment_.reset(); }
    void know_time(Now now) { now_ = std::move(now); }
    // Instead of all that, until null: a run that is made again.
    void repeat(Repeat* run) {
        if (run != nullptr && run->wanted().at_points) met_.reset();
        repeat_ = run;
    }
    // Which of the points the last such run that looked for them noted last.
    [[nodiscard]] const std::optional<Found>& met() const { return met_; }

    // A CPU need not ask while this is false.
    [[nodiscard]] bool any() const {
        return !code_.empty() || !watches_.empty() || stepping() || found_ || moment_ || repeat_ != nullptr;
    }
    [[nodiscard]] bool watches() const { return !watches_.empty(); }
    // Some instruction between these addresses has to be asked about on its own.
    [[nodiscard]] bool within(std::uint32_t first, std::uint32_t bytes) const;
    // A block is the next code to run, or the rest of one; and then at once, since nothing was within it. False: that rest is
    // none for whom it may concern.
    bool enters_block(bool rest) const {
        if (repeat_ == nullptr || (rest && repeat_->begun())) return false;
        repeat_->enters_block(now_());
        return true;
    }
    void passes_block() const { repeat_->arrives(now_(), false); }

    [[nodiscard]] bool stops_at(std::uint32_t linear);
    void accessed(std::uint32_t linear, unsigned bytes, bool write);
    void look_for_changes(const ReadByte& read);
    // Why it stopped; once.
    [[nodiscard]] std::optional<Found> take();

private:
    struct Watched {
        Watch watch;
        std::vector<std::optional<std::uint8_t>> values;
    };
    struct Step {
        std::uint64_t number = 0;
        std::uint64_t left = 0;  // instructions
        bool has_begun = false;  // the next instruction is not its first
    };
    static std::vector<std::optional<std::uint8_t>> values_of(const Watch& watch, const ReadByte& read);
    void find(const Watch& watch);
    bool stops_repeat_at(std::uint32_t linear);
    bool ends_steps_at(std::uint32_t linear);
    [[nodiscard]] bool has_code(std::uint32_t first, std::uint32_t bytes) const;

    std::multiset<std::uint32_t> code_;
    std::vector<Watched> watches_;
    std::optional<std::uint32_t> passed_;  // runs once, whatever stands there
    std::vector<Step> steps_;
    std::uint64_t step_number_ = 0;  // of the one that was asked for last
    std::optional<Found> found_;
    std::optional<Moment> moment_;
    Moment block_ = 0;  // that it lies in
    Now now_;
    Repeat* repeat_ = nullptr;
    std::optional<Found> met_;
};

}  // namespace sla::cpu
