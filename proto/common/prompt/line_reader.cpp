#include "proto/common/prompt/line_reader.h"

#include "proto/base/new_file.h"
#include "proto/base/wait_for_input.h"

#include <fcntl.h>
#include <histedit.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace sla::prompt {

namespace {

constexpr int kHistoryLines = 1000;

class PlainLines final : public LineReader {
public:
    std::optional<std::string> read(const std::string&) override {
        for (;;) {
            if (const std::size_t end = typed_.find('\n'); end != std::string::npos) return take(end, end + 1);
            char bytes[4096];
            const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
            if (count > 0 && typed_.size() < kLongestLine) {
                typed_.append(bytes, static_cast<std::size_t>(count));
            } else if (count < 0 && errno == EAGAIN && wait_for_input(STDIN_FILENO, kHoweverLong)) {
                continue;
            } else if (typed_.empty()) {
                return std::nullopt;
            } else {
                return take(typed_.size(), typed_.size());
            }
        }
    }

private:
    static constexpr std::chrono::milliseconds kHoweverLong{-1};
    static constexpr std::size_t kLongestLine = std::size_t{2} << 20;  // nobody types so much
    std::string take(std::size_t size, std::size_t used) {
        std::string line = typed_.substr(0, size);
        typed_.erase(0, used);
        return line;
    }
    std::string typed_;
};

// "" when there is no place for it.
std::string history_path(const std::string& name) {
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    std::filesystem::path folder;
    if (state != nullptr && *state == '/') {
        folder = state;
    } else if (home != nullptr && *home == '/') {
        folder = std::filesystem::path(home) / ".local" / "state";
    } else {
        return "";
    }
    std::error_code failed;
    std::filesystem::create_directories(folder / "sla", failed);
    return failed ? "" : folder / "sla" / name;
}

// Names and texts are UTF-8 whatever the user's locale says; libedit drops what the process's locale has no letter for.
EditLine* make_editor() {
    if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) std::setlocale(LC_CTYPE, "");
    return el_init("sla", stdin, stdout, stderr);
}

class EditedLines final : public LineReader {
public:
    explicit EditedLines(const std::string& history)
        : path_(history_path(history)), editor_(make_editor()), history_(history_init()) {
        HistEvent event;
        history_call(&event, H_SETSIZE, kHistoryLines);
        history_call(&event, H_SETUNIQUE, 1);
        el_set(editor_, EL_CLIENTDATA, this);
        el_set(editor_, EL_PROMPT, prompt_of);
        el_set(editor_, EL_EDITOR, "emacs");
        el_set(editor_, EL_HIST, ::history, history_);
        // Ctrl+C as a key that throws the line away, while one is typed: no signal then.
        el_set(editor_, EL_SETTY, "-d", "-isig", nullptr);
        el_set(editor_, EL_ADDFN, "sla-cancel", "Throw the line away", cancel);
        el_set(editor_, EL_BIND, "^C", "sla-cancel", nullptr);
        el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
        if (path_.empty()) return;
        // For this user's eyes only: what is typed names what a capture or a guest holds.
        if (const int fd = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600); fd >= 0) close(fd);
        history_call(&event, H_LOAD, path_.c_str());
    }
    ~EditedLines() override {
        history_end(history_);
        el_end(editor_);
    }
    EditedLines(const EditedLines&) = delete;
    EditedLines& operator=(const EditedLines&) = delete;

    std::optional<std::string> read(const std::string& prompt) override {
        prompt_ = prompt;
        cancelled_ = false;
        int count = 0;
        const char* line = el_gets(editor_, &count);
        if (cancelled_) {
            std::fputs("^C\n", stdout);
            return "";
        }
        if (line == nullptr || count <= 0) {
            std::fputs("\n", stdout);
            return std::nullopt;
        }
        std::string text(line, static_cast<std::size_t>(count));
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
        return text;
    }
    [[nodiscard]] bool was_cancelled() const override { return cancelled_; }
    void remember(const std::string& entry) override {
        HistEvent event;
        history_call(&event, H_ENTER, entry.c_str());
        if (path_.empty()) return;
        // At once and whole: what is asked may end the program, and whoever sits there may close the terminal.
        TemporaryName fresh(path_);
        if (history_call(&event, H_SAVE, fresh.path().c_str()) >= 0) (void)fresh.take_its_place();
    }
    [[nodiscard]] bool is_for_people() const override { return true; }

private:
    static EditedLines& self(EditLine* editor) {
        void* data = nullptr;
        el_get(editor, EL_CLIENTDATA, &data);
        return *static_cast<EditedLines*>(data);
    }
    static char* prompt_of(EditLine* editor) { return self(editor).prompt_.data(); }
    static unsigned char cancel(EditLine* editor, int) {
        self(editor).cancelled_ = true;
        return CC_NEWLINE;
    }
    template <typename Value>
    int history_call(HistEvent* event, int operation, Value value) {
        return ::history(history_, event, operation, value);
    }

    std::string path_;
    std::string prompt_;
    bool cancelled_ = false;
    EditLine* editor_;
    History* history_;
};

}  // namespace

std::unique_ptr<LineReader> make_line_reader(const std::string& history) {
    if (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) return std::make_unique<EditedLines>(history);
    return std::make_unique<PlainLines>();
}

}  // namespace sla::prompt
