// A program's segment as the agent sees it: mapped, bounded, never trusted.
//
// Owns mapping and descriptor. Every number is copied out once, then checked; a program that scribbles over its segment can
// make its own channels wrong, and nothing else. One owner thread.
#pragma once

#include "proto/base/result.h"

#include <sla/ring_abi.h>

#include <cstdint>
#include <string>

namespace sla::ring {

struct ChannelDescription {
    std::string name;
    std::string format;
    bool overwrite = false;
    sla_stamping stamping = SLA_RDTSC;  // if the program is sane, as the next; RDTSC where stamps are not the TSC's
    std::uint32_t section_ticks = 0;    // of stampings other than RDTSC; 0: not measured
};

// What the agent wants of a channel's markers; the default wants everything. See sla_channel_control.
struct ChannelControl {
    bool off = false;
    std::uint16_t policy = 0;  // 0: the program's own, else 1 + enum sla_policy
    std::uint32_t compare = SLA_COMPARE_ANY;
    bool real = false;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint64_t every = 0;

    bool operator==(const ChannelControl&) const = default;
};

class SegmentView {
public:
    static constexpr std::uint64_t kPageBytes = 4096;
    static constexpr std::uint64_t kMappedAround = std::uint64_t{64} << 10;  // by the kernel, with a page that is looked at

    // Takes the descriptor over (closes it in any case). Refuses what is not a sealed memfd of the right size and version.
    static Result<SegmentView> map(int fd);

    SegmentView(SegmentView&& other) noexcept;
    SegmentView& operator=(SegmentView&&) = delete;
    ~SegmentView();

    [[nodiscard]] std::uint64_t start_time() const;
    [[nodiscard]] std::uint32_t source_kind() const;
    [[nodiscard]] std::uint32_t stamp_clock() const;    // enum sla_stamp_clock, if the program is sane
    [[nodiscard]] std::uint32_t section_ticks() const;  // 0: not measured
    [[nodiscard]] std::string program() const;
    [[nodiscard]] std::string command() const;

    // Never more than the ABI's maxima, whatever the program wrote.
    [[nodiscard]] std::uint32_t channel_count() const;
    [[nodiscard]] std::uint32_t ring_count() const;
    // How often a ring has become live; 0 for ever in a program that does not say. Read before rings are looked at: an
    // event of a ring that is counted later is stamped later.
    [[nodiscard]] std::uint64_t rings_opened() const;
    // 1-based, as rings name them.
    [[nodiscard]] ChannelDescription channel(std::uint32_t index) const;

    struct NoRingLoss {
        std::uint64_t events = 0;
        std::uint64_t first_tick = 0;  // 0: not known, as the next
        std::uint64_t last_tick = 0;
        bool is_damage = false;  // no honest program counts so: backwards, or what takes a year
    };
    // Accounts for events of a channel that found no ring, once (kept in the segment, for a later agent).
    [[nodiscard]] NoRingLoss account_lost_no_ring(std::uint32_t channel_index) const;
    // The same of events of channels beyond the ABI's maximum.
    [[nodiscard]] NoRingLoss account_lost_no_channel() const;
    // And of those that could not be registered though there was space.
    [[nodiscard]] NoRingLoss account_lost_unregistered() const;
    // Stands still as long as there is nothing new in the three above; 0 for ever in a program that does not say.
    [[nodiscard]] std::uint64_t lost_without_ring() const;

    // When the program's markers were off for want of an agent; from 0: they were not, or an agent has put it on record.
    struct Absence {
        std::uint64_t from_tick = 0;
        std::uint64_t until_tick = 0;
    };
    // Answers with it once: it is on record from now on (kept in the segment, for a later agent).
    [[nodiscard]] Absence take_absence() const;
    // It has said hello, and its markers come on: when, it says in a moment.
    [[nodiscard]] bool is_attaching() const;
    // When markers were last switched on, or hello was said; 0: the program does not say.
    [[nodiscard]] std::uint64_t attached_tick() const;

    // The program applies it once it is notified (source::Program). Written only, never read back.
    void set_control(std::uint32_t channel_index, const ChannelControl& control) const;
    // Accounts for events turned away by a filter that found no ring to be counted in, once.
    [[nodiscard]] std::uint64_t account_filtered(std::uint32_t channel_index) const;

    // number < ring_count(); the header's fields are the program's to change at any moment.
    [[nodiscard]] sla_ring_header* ring(std::uint32_t number) const;
    // Where `bytes` slots' bytes at `offset` are, or nullptr when they do not lie within the arena.
    [[nodiscard]] const unsigned char* arena(std::uint64_t offset, std::uint64_t bytes) const;
    void count_free_ring() const;

    // Takes the pages that were read so far out of this process's memory. What is in them stays; reading maps them again.
    void release_pages() const;
    // How often that was done.
    [[nodiscard]] std::uint64_t releases() const { return releases_; }
    // Scarce: more would be mapped than may be, so what is little is better copied than mapped.
    void set_pages_scarce(bool are_scarce) const { are_pages_scarce_ = are_scarce; }
    [[nodiscard]] bool are_pages_scarce() const { return are_pages_scarce_; }
    // Maps the pages of these bytes of the arena before they are read: together, in a microsecond or two, where a page fault
    // for each takes 0.3 to 6 us, by machine. Does nothing on kernels before 5.14.
    void map_pages(const unsigned char* at, std::uint64_t bytes) const;
    // So much may have been mapped by that, ever, with what the kernel maps around it.
    [[nodiscard]] std::uint64_t mapped_bytes() const { return mapped_bytes_; }
    // Copies these bytes of the arena and maps nothing, in some 0.3 us. False: it cannot be done.
    [[nodiscard]] bool copy(const unsigned char* at, std::uint64_t bytes, void* to) const;

private:
    static NoRingLoss account(std::uint64_t& lost, std::uint64_t& accounted, std::uint64_t& first_tick,
                              const std::uint64_t& last_tick);
    SegmentView(unsigned char* base, int fd) : base_(base), fd_(fd) {}
    [[nodiscard]] sla_segment_header& header() const;
    [[nodiscard]] const sla_channel_descriptor& descriptor(std::uint32_t index) const;

    unsigned char* base_;
    int fd_;
    mutable std::uint64_t releases_ = 0;
    mutable std::uint64_t mapped_bytes_ = 0;
    mutable bool are_pages_scarce_ = false;
};

}  // namespace sla::ring
