#include "emu/screen_file.h"

#include "emu/files.h"

#include <stb/stb_image_write.h>

#include <cerrno>
#include <cstdio>

namespace sla::emu {

namespace {

constexpr std::string_view kText = ".txt";
constexpr std::string_view kPng = ".png";
constexpr int kRgb = 3;

void append(void* to, void* bytes, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::string png_of(const machine::Picture& picture) {
    std::string bytes;
    const int width = static_cast<int>(picture.width);
    stbi_write_png_to_func(append, &bytes, width, static_cast<int>(picture.height), kRgb, picture.rgb.data(), width * kRgb);
    return bytes;
}

}  // namespace

Result<void> check_screen_file(const std::string& path) {
    if (path.ends_with(kText) || path.ends_with(kPng)) return check_output("the screen", path);
    return invalid_input("--screen " + path + ": the name must end in .txt or .png, which chooses what is written");
}

Result<void> write_screen(const machine::Screen& screen, const std::string& path) {
    const std::string bytes = path.ends_with(kPng) ? png_of(screen.picture()) : screen.text();
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return system_error("cannot write the screen to " + path, errno);
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const bool closed = std::fclose(file) == 0;
    if (!written || !closed) return system_error("cannot write the screen to " + path, errno);
    return {};
}

}  // namespace sla::emu
