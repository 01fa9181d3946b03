#include "viewer/sql/permit.h"

#include <sqlite3.h>

#include <algorithm>

namespace sla::sql {

namespace {

// "ATTACH", for messages.
std::string first_word(std::string_view question) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto begin = std::find_if(question.begin(), question.end(), is_letter);
    std::string word(begin, std::find_if_not(begin, question.end(), is_letter));
    for (char& c : word) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return word;
}

// Of SQLite's own, those that reach out of the question.
bool is_closed_function(std::string_view name) {
    return name == "load_extension" || name == "fts3_tokenizer" || name == "edit" || name == "readfile" ||
           name == "writefile";
}

// A column of events whose value depends on the row before.
bool is_of_rows_before(std::string_view column) {
    return column == "delta_ns" || column == "error_ns" || column == "row";
}

bool is_open_pragma(std::string_view name) {
    return std::ranges::find(kOpenPragmas, name) != kOpenPragmas.end();
}

// What a question may not do, by the word for it.
std::string refused_by(const std::string& word) {
    const bool is_question = word == "SELECT" || word == "WITH" || word == "VALUES" || word == "EXPLAIN";
    return is_question ? "this one writes, or looks into a table of SQLite's own" : "it may not use " + word;
}

}  // namespace

void Permit::guard(sqlite3* database) {
    sqlite3_set_authorizer(database, on_action, this);
}

void Permit::begin() {
    tables_read_.clear();
    looks_back_ = false;
    is_refused_ = false;
    refused_.clear();
}

int Permit::on_action(void* permit, int action, const char* first, const char* second, const char*, const char*) {
    Permit& self = *static_cast<Permit*>(permit);
    const auto is_known = [](const char* name) { return name != nullptr; };
    bool is_open = action == SQLITE_SELECT || action == SQLITE_RECURSIVE || action == SQLITE_READ;
    if (action == SQLITE_READ && is_known(first)) self.tables_read_.insert(first);
    if (action == SQLITE_READ && is_known(second)) self.looks_back_ = self.looks_back_ || is_of_rows_before(second);
    if (action == SQLITE_FUNCTION) is_open = is_known(second) && !is_closed_function(second);
    if (action == SQLITE_PRAGMA) is_open = is_known(first) && is_open_pragma(first);
    if (is_open) return SQLITE_OK;
    self.is_refused_ = true;
    if (action == SQLITE_FUNCTION && is_known(second)) self.refused_ = std::string(second) + "()";
    if (action == SQLITE_PRAGMA && is_known(first)) self.refused_ = std::string("PRAGMA ") + first;
    return SQLITE_DENY;
}

Error Permit::refusal(std::string_view question) const {
    return invalid_input("a question only reads: " + refused_by(refused_.empty() ? first_word(question) : refused_));
}

}  // namespace sla::sql
