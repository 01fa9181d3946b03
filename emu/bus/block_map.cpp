#include "emu/bus/block_map.h"

namespace sla::bus {

const BlockMap::Block* BlockMap::find(std::uint64_t number) const {
    const auto group = groups_.find(number / kBlocksOfGroup);
    if (group == groups_.end()) return nullptr;
    const auto& leaf = group->second->content[number % kBlocksOfGroup / kBlocksOfLeaf];
    const std::size_t block = number % kBlocksOfLeaf;
    return leaf && leaf->content.is_there[block] ? &leaf->content.bytes[block] : nullptr;
}

BlockMap::Block& BlockMap::at(std::uint64_t number) {
    Group& group = own(groups_[number / kBlocksOfGroup]);
    Blocks& leaf = own(group.content[number % kBlocksOfGroup / kBlocksOfLeaf]).content;
    const std::size_t block = number % kBlocksOfLeaf;
    if (!leaf.is_there[block]) ++size_;
    leaf.is_there[block] = true;
    return leaf.bytes[block];
}

void BlockMap::clear() {
    groups_.clear();
    size_ = 0;
    own_bytes_ = 0;
}

template <typename Part>
Part& BlockMap::own(std::shared_ptr<Part>& part) {
    if (!part) {
        part = std::make_shared<Part>(taken_);
        own_bytes_ += sizeof(Part);
    } else if (part.use_count() != 1) {
        part = std::make_shared<Part>(*part);
    }
    return *part;
}

}  // namespace sla::bus
