// Everything around the machine that one run brings: firmware, media, serial line, typist. Must outlive the machine's run
// and die before the machine.
#pragma once

#include "emu/history/known_ground.h"
#include "emu/machine/image_file.h"
#include "emu/machine/machine.h"
#include "emu/machine/pseudo_terminal.h"
#include "emu/machine/screen.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/typist.h"
#include "emu/run_options.h"
#include "emu/snapshot/subject.h"
#include "proto/base/result.h"

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sla::emu {

class Guest {
public:
    Guest(const RunOptions& options, machine::Machine& pc, machine::StopSignal& stop);

    // Brings firmware and media into the machine.
    Result<void> load();
    // Connects text ports, serial port and keyboard.
    Result<void> connect();
    // What its PC is made of, and what of it a snapshot holds. Once everything is loaded and connected.
    void join(snapshot::Subject& subject);
    // Where the run has been before, what it sends out was sent; and while it is made again nothing comes in. `came_in` learns
    // that something did.
    void go_back_with(const history::KnownGround& ground, std::function<void()> came_in) {
        ground_ = &ground;
        came_in_ = std::move(came_in);
    }
    // Writes the pictures that were asked for, once the run is over, and says if what the guest sent is not all in its file.
    Result<void> finish();

    // For messages.
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    Result<void> load_firmware();
    Result<void> load_kernel();
    Result<void> load_program();
    Result<void> load_video_bios(const std::string& firmware);
    Result<void> load_items();
    Result<void> load_media();
    Result<void> connect_serial();
    Result<void> connect_terminal();
    Result<void> start_typing();
    // A file for what the guest sends; and whether all of them took everything.
    Result<std::shared_ptr<std::FILE>> open_text(const char* what, const std::string& path);
    [[nodiscard]] Result<void> check_texts() const;
    void visit_state(bus::StateVisitor& state);
    void look_at_terminal();
    [[nodiscard]] bool is_reported() const { return ground_ != nullptr && ground_->known(); }

    const RunOptions& options_;
    machine::Machine& pc_;
    machine::StopSignal& stop_;
    std::string name_;
    struct Medium {
        std::string drive;
        std::unique_ptr<machine::ImageFile> image;
    };
    std::vector<Medium> media_;
    struct Output {
        std::string what;  // for messages
        std::string path;
        std::shared_ptr<std::FILE> file;
    };
    std::vector<Output> outputs_;
    std::unique_ptr<machine::PseudoTerminal> terminal_;
    bus::EventQueue::TimerId terminal_timer_ = 0;
    machine::Screen screen_;
    std::unique_ptr<machine::Typist> typist_;
    std::string typed_;  // tells the text from others
    // What a snapshot must be of: contents in short, and their command line.
    std::string kernel_ = snapshot::Subject::kNone;
    std::string program_ = snapshot::Subject::kNone;
    std::string command_line_ = snapshot::Subject::kNone;
    const history::KnownGround* ground_ = nullptr;
    std::function<void()> came_in_;
};

}  // namespace sla::emu
