#include "agent/example/pipeline.h"

#include "agent/example/packer.h"

#include <fmt/format.h>
#include <pthread.h>

#include <map>

namespace sla::example {
namespace {

SLA_CHANNEL(reading, "pipeline.read");
SLA_CHANNEL(writing, "pipeline.write");
SLA_CHANNEL(ratio, "pipeline.ratio");
SLA_CHANNEL(handover, "pipeline.handover");

void name_thread(const std::string& name) {
    pthread_setname_np(pthread_self(), name.c_str());
}

// Most blocks are packed fast; every eighth with more care, so that spans differ to the eye.
int level_of(std::uint64_t block) {
    return block % 8 == 0 ? 9 : 3;
}

}  // namespace

Pipeline::Pipeline(BlockSource& source, FileRing& files, unsigned compressors) {
    writer_ = std::thread([this, &files] { write(files); });
    for (unsigned number = 1; number <= compressors; ++number) {
        compressors_.emplace_back([this, number] { compress(number); });
    }
    reader_ = std::thread([this, &source] { read(source); });
}

Pipeline::~Pipeline() {
    stop();
}

PipelineTotals Pipeline::stop() {
    stopping_.store(true, std::memory_order_relaxed);  // pairs with nothing: the reader sees it within a burst
    if (reader_.joinable()) reader_.join();
    in_.close();
    for (std::thread& compressor : compressors_) {
        if (compressor.joinable()) compressor.join();
    }
    out_.close();
    if (writer_.joinable()) writer_.join();
    totals_.damaged = damaged_.load(std::memory_order_relaxed);  // the joins above order it
    return totals_;
}

void Pipeline::read(BlockSource& source) {
    name_thread("reader");
    std::uint64_t id = 0;
    auto next_burst = std::chrono::steady_clock::now();
    do {
        for (int i = 0; i < kBurstBlocks; ++i) {
            Block block{id++, {}, {}};
            {
                SLA_SPAN(reading, block.id);
                block.text = source.next();
            }
            if (!in_.push(std::move(block))) return;
        }
        next_burst += kBurstPeriod;
        std::this_thread::sleep_until(next_burst);
    } while (running());
}

void Pipeline::compress(unsigned number) {
    const std::string name = fmt::format("compress.{}", number);
    name_thread(name);
    sla_channel* const compressing = sla_channel_open(("pipeline." + name).c_str());
    Packer packer;
    while (std::optional<Block> block = in_.pop()) {
        {
            SLA_SPAN(compressing, block->id);
            block->frame = packer.pack(block->text, level_of(block->id));
            SLA_SPAN(compressing);
            if (!packer.verify(block->frame, block->text)) damaged_.fetch_add(1, std::memory_order_relaxed);  // a count
        }
        SLA_VALUE(ratio, static_cast<double>(block->text.size()) / static_cast<double>(block->frame.size() + 1));
        SLA_TICK(handover, block->id);
        out_.push(std::move(*block));
    }
}

void Pipeline::write(FileRing& files) {
    name_thread("writer");
    std::map<std::uint64_t, Block> early;
    std::uint64_t next = 0;
    while (std::optional<Block> block = out_.pop()) {
        early.emplace(block->id, std::move(*block));
        for (auto first = early.begin(); first != early.end() && first->first == next; first = early.erase(first), ++next) {
            write_one(files, first->second);
        }
    }
}

void Pipeline::write_one(FileRing& files, const Block& block) {
    SLA_SPAN(writing, block.id);
    if (totals_.disk_failed) return;
    if (!files.append(block.frame)) {
        totals_.disk_failed = true;
        stopping_.store(true, std::memory_order_relaxed);  // main looks now and then
        return;
    }
    ++totals_.blocks;
    totals_.bytes_read += block.text.size();
    totals_.bytes_written += block.frame.size();
}

}  // namespace sla::example
