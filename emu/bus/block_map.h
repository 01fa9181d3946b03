// Numbered blocks of 512 bytes: those that somebody wrote. A copy shares with its original all that neither writes later.
//
//   group (1 MB) ──► leaf (4 KB) ──► 8 blocks       a write makes the group and the leaf its own, if they are shared
//
// One thread has it and all its copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace sla::bus {

class BlockMap {
public:
    static constexpr std::size_t kBlockBytes = 512;
    using Block = std::array<std::uint8_t, kBlockBytes>;

    // Null: nobody wrote it.
    [[nodiscard]] const Block* find(std::uint64_t number) const;
    // To be written.
    Block& at(std::uint64_t number);
    void clear();
    // Blocks.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    // In the order of their numbers: visit(number, block).
    template <typename Visit>
    void for_each(Visit visit) const;

    // What its copies hold that it does not.
    [[nodiscard]] std::size_t bytes_elsewhere() const { return *taken_ - own_bytes_; }

private:
    // Counts what all copies take together.
    template <typename Content>
    struct Counted {
        explicit Counted(std::shared_ptr<std::size_t> all) : taken(std::move(all)) { *taken += sizeof(Counted); }
        Counted(const Counted& other) : content(other.content), taken(other.taken) { *taken += sizeof(Counted); }
        Counted& operator=(const Counted&) = delete;
        ~Counted() { *taken -= sizeof(Counted); }

        Content content{};
        std::shared_ptr<std::size_t> taken;
    };
    static constexpr std::size_t kBlocksOfLeaf = 8;
    static constexpr std::size_t kLeavesOfGroup = 256;
    static constexpr std::uint64_t kBlocksOfGroup = kBlocksOfLeaf * kLeavesOfGroup;
    struct Blocks {
        std::array<bool, kBlocksOfLeaf> is_there{};
        std::array<Block, kBlocksOfLeaf> bytes{};
    };
    using Leaf = Counted<Blocks>;
    using Group = Counted<std::array<std::shared_ptr<Leaf>, kLeavesOfGroup>>;

    template <typename Part>
    Part& own(std::shared_ptr<Part>& part);

    std::map<std::uint64_t, std::shared_ptr<Group>> groups_;
    std::uint64_t size_ = 0;
    std::size_t own_bytes_ = 0;  // of its groups and leaves
    std::shared_ptr<std::size_t> taken_ = std::make_shared<std::size_t>(0);
};

template <typename Visit>
void BlockMap::for_each(Visit visit) const {
    for (const auto& [number, group] : groups_) {
        for (std::size_t i = 0; i < kLeavesOfGroup; ++i) {
            const auto& leaf = group->content[i];
            for (std::size_t k = 0; leaf && k < kBlocksOfLeaf; ++k) {
                if (leaf->content.is_there[k])
                    visit(number * kBlocksOfGroup + i * kBlocksOfLeaf + k, leaf->content.bytes[k]);
            }
        }
    }
}

}  // namespace sla::bus
