#include "viewer/ui/app/surface.h"

#include <fmt/format.h>
#include <stb_image_write.h>

#include <cerrno>
#include <cstdio>
#include <memory>

namespace sla::ui {

Result<void> write_png(const Pixels& pixels, const std::string& path) {
    const std::string part = path + ".part";
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(part.c_str(), "wb"), &std::fclose);
    if (!file) return system_error("cannot write the picture " + path, errno);
    const auto write = [](void* to, void* bytes, int size) {
        std::fwrite(bytes, 1, static_cast<std::size_t>(size), static_cast<std::FILE*>(to));
    };
    const int done =
        stbi_write_png_to_func(write, file.get(), pixels.width, pixels.height, 4, pixels.rgba.data(), pixels.width * 4);
    const bool failed = done == 0 || std::ferror(file.get()) != 0;
    if (std::fclose(file.release()) != 0 || failed) {
        std::remove(part.c_str());
        return system_error("cannot write the picture " + path, errno);
    }
    if (std::rename(part.c_str(), path.c_str()) != 0) return system_error("cannot write the picture " + path, errno);
    return {};
}

}  // namespace sla::ui
