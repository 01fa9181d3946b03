// A megabyte kept back for the moment in which there is no more: then it is given to the heap, so that the small allocation
// that failed works after all. Much of what a small one breaks cannot be mended where it is noticed: a list of files of the
// C++ library ends the program, a message of protobuf is left with a part that it does not have.
//
// What the reserve is too small for, or what fails when it is gone, is std::bad_alloc as ever.
#pragma once

namespace sla {

// Where a program begins; and again where it has mended a lack of memory. Nothing where there is one already. Any thread.
void hold_memory_reserve();

}  // namespace sla
