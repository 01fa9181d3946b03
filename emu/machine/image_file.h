// A disk image in a file. What the guest writes goes into the file, or stays in memory and is forgotten at the end, so that
// every run finds the same disk. Owned by the machine's thread.
#pragma once

#include "emu/bus/block_map.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/storage/disk.h"
#include "proto/base/result.h"

#include <memory>
#include <optional>
#include <string>

namespace sla::machine {

class ImageFile final : public device::Disk {
public:
    enum class Writes { kForgotten, kToFile };

    // The file must consist of whole sectors, at least one.
    static Result<std::unique_ptr<ImageFile>> open(const std::string& path, Writes writes);
    ~ImageFile() override;
    ImageFile(const ImageFile&) = delete;
    ImageFile& operator=(const ImageFile&) = delete;

    [[nodiscard]] std::uint64_t sectors() const override { return sectors_; }
    bool read(std::uint64_t number, device::Sector to) override;
    bool write(std::uint64_t number, device::ConstSector from) override;

    // What the guest wrote, of writes that are forgotten; of those that went to the file there is nothing to save.
    void visit_state(bus::StateVisitor& state) { state.sectors(written_, sectors_); }
    [[nodiscard]] bool writes_to_file() const { return writes_ == Writes::kToFile; }
    // Of the file as it is; not found out again after the first time.
    Result<std::uint64_t> checksum();

private:
    ImageFile(int descriptor, std::uint64_t sectors, Writes writes)
        : descriptor_(descriptor), sectors_(sectors), writes_(writes) {}

    int descriptor_;
    std::uint64_t sectors_;
    std::optional<std::uint64_t> checksum_;
    Writes writes_;
    bus::BlockMap written_;  // kForgotten only
};

}  // namespace sla::machine
