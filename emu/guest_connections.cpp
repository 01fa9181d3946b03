// What a guest's ports are connected to: files, a terminal, what is typed for it.
#include "emu/guest.h"

#include "emu/files.h"

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <span>

namespace sla::emu {

namespace {

constexpr std::size_t kMaxTypedBytes = 1U << 20;
constexpr unsigned kCom1Line = 4;
constexpr bus::Nanoseconds kTerminalPoll = 5'000'000;
bool is_left_by_its_reader(int fd) {
    pollfd pipe{fd, 0, 0};
    return ::poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0;
}

constexpr std::size_t kMostWaiting = 4096;  // more of them wait in the terminal, and whoever writes there waits too

}  // namespace

Result<std::shared_ptr<std::FILE>> Guest::open_text(const char* what, const std::string& path) {
    auto file = open_output(what, path);
    if (file) outputs_.push_back({what, path, *file});
    return file;
}

Result<void> Guest::check_texts() const {
    for (const Output& output : outputs_) {
        if (std::fflush(output.file.get()) == 0 && std::ferror(output.file.get()) == 0) continue;
        if (is_left_by_its_reader(fileno(output.file.get()))) continue;  // who has seen enough
        return unavailable(fmt::format("{} could not all be written to {}", output.what,
                                       output.path == "-" ? "standard output" : output.path));
    }
    return {};
}

Result<void> Guest::connect() {
    auto text = open_text("the guest's text", options_.debug_output);
    if (!text) return text.error();
    // Line by line, so that a reader sees it at once and a storm of bytes stays cheap; and unlocked: only this thread writes there.
    pc_.debug_port().on_byte([this, out = *text](char byte) {
        if (is_reported()) return;
        ::putc_unlocked(byte, out.get());
        if (byte == '\n') std::fflush(out.get());
    });
    if (auto done = connect_serial(); !done) return done;
    return start_typing();
}

Result<void> Guest::connect_serial() {
    if (options_.serial == "none") return {};
    if (options_.serial == "pty") return connect_terminal();
    auto out = open_text("the serial port's text", options_.serial);
    if (!out) return out.error();
    pc_.serial(0).on_byte([this, out = *out](std::uint8_t byte) {
        if (is_reported()) return;
        ::putc_unlocked(byte, out.get());
        if (byte == '\n') std::fflush(out.get());
    });
    return {};
}

Result<void> Guest::connect_terminal() {
    auto terminal = machine::PseudoTerminal::open();
    if (!terminal) return terminal.error();
    terminal_ = std::move(*terminal);
    spdlog::info("com1 is the terminal {}", terminal_->path());
    pc_.serial(0).on_byte([this](std::uint8_t byte) {
        if (!is_reported()) terminal_->send(byte);
    });
    // The terminal cannot wake the machine, so the machine looks.
    terminal_timer_ = pc_.events().add_timer(
        [this](bus::Nanoseconds) {
            look_at_terminal();
            pc_.events().arm(terminal_timer_, pc_.events().now() + kTerminalPoll);
        },
        bus::irq_line_bit(kCom1Line));
    pc_.events().arm(terminal_timer_, pc_.events().now());
    return {};
}

void Guest::look_at_terminal() {
    if (ground_ != nullptr && ground_->again()) return;
    while (pc_.serial(0).waiting() < kMostWaiting) {
        const auto byte = terminal_->receive();
        if (!byte) return;
        if (came_in_) came_in_();
        pc_.serial(0).receive(*byte);
    }
}

Result<void> Guest::start_typing() {
    if (options_.typed.empty()) return {};
    std::string text = options_.typed;
    if (text.starts_with('@')) {
        auto bytes = read_file("the text to type", text.substr(1), kMaxTypedBytes, "nobody types that much");
        if (!bytes) return bytes.error();
        text.assign(bytes->begin(), bytes->end());
    }
    typed_ = snapshot::summary_of(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
    auto steps = machine::parse_typed_text(text);
    if (!steps) return steps.error();
    typist_ = std::make_unique<machine::Typist>(
        pc_.events(), pc_.keyboard(),
        machine::Typist::Surroundings{[this](const std::string& wanted) { return screen_.shows(wanted); },
                                      [this] { stop_.request(); }});
    typist_->type(std::move(*steps));
    return {};
}

}  // namespace sla::emu
