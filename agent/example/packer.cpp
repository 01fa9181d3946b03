#include "agent/example/packer.h"

#include <new>

namespace sla::example {

Packer::Packer() : packing_(ZSTD_createCCtx()), unpacking_(ZSTD_createDCtx()) {
    if (!packing_ || !unpacking_) throw std::bad_alloc();
}

std::string Packer::pack(std::string_view text, int level) {
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    const std::size_t bytes = ZSTD_compressCCtx(packing_.get(), frame.data(), frame.size(), text.data(), text.size(), level);
    frame.resize(ZSTD_isError(bytes) != 0 ? 0 : bytes);
    return frame;
}

bool Packer::verify(std::string_view frame, std::string_view text) {
    unpacked_.resize(text.size());
    const std::size_t bytes =
        ZSTD_decompressDCtx(unpacking_.get(), unpacked_.data(), unpacked_.size(), frame.data(), frame.size());
    return ZSTD_isError(bytes) == 0 && bytes == text.size() && unpacked_ == text;
}

}  // namespace sla::example
