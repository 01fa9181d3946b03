// The heap of a program that works with much memory, in huge pages. A page of 4 KiB that is touched first costs 0.3 to 12 us, by
// machine: for an agent that keeps 2 bytes an event as much as all it does with them.
//
// Programs call set_up_heap() where they begin, and spread_huge_pages() again and again where they allocate.
#pragma once

namespace sla {

// Of glibc's malloc: one heap for all threads, which grows by 16 MiB at a time and keeps some when it shrinks. Blocks up to that
// size come from it too, where each would be mapped and unmapped; larger ones go back to the system at once.
inline constexpr int kLargestHeapBlock = 32 << 20;  // glibc takes no greater number
void set_up_heap(int largest_block = kLargestHeapBlock);

// Asks for huge pages where the heap has grown since the last call; the kernel gives them where it has some. 5 ns when it has not
// grown. Any thread.
void spread_huge_pages();

}  // namespace sla
