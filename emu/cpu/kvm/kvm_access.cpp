// The accesses that end a run: to ports, to chips in memory and to model-specific registers.
#include "emu/cpu/kvm/kvm_cpu.h"
#include "emu/cpu/linear_memory.h"

#include <cstring>

namespace sla::cpu {

namespace {

std::uint32_t load(const std::uint8_t* from, unsigned bytes) {
    std::uint32_t value = 0;
    std::memcpy(&value, from, bytes);
    return value;
}

}  // namespace

void KvmCpu::serve_port(const sla_kvm_exit& exit) {
    port_access_ = PortAccess{exit.write, exit.size, static_cast<std::uint16_t>(exit.address)};
    for (unsigned i = 0; i < exit.count; ++i) {
        std::uint8_t* data = exit.data + std::size_t{i} * exit.size;
        if (exit.write) {
            client_.port_out(port_access_->port, bus::width_of(exit.size), load(data, exit.size));
        } else {
            const std::uint32_t value = client_.port_in(port_access_->port, bus::width_of(exit.size));
            std::memcpy(data, &value, exit.size);
        }
    }
    if (state_) look_at_mode();
    port_access_.reset();
}

// Accesses of up to 8 bytes; chips take 4.
void KvmCpu::serve_memory(const sla_kvm_exit& exit) {
    const auto address = static_cast<std::uint32_t>(exit.address);
    memory_access_ = MemoryAccess{exit.write, exit.size, address};
    for (unsigned done = 0; done < exit.size;) {
        const unsigned left = exit.size - done;
        const unsigned bytes = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        if (exit.write) {
            client_.mmio_write(address + done, bus::width_of(bytes), load(exit.data + done, bytes));
        } else {
            const std::uint32_t value = client_.mmio_read(address + done, bus::width_of(bytes));
            std::memcpy(exit.data + done, &value, bytes);
        }
        done += bytes;
    }
    memory_access_.reset();
}

// A Pentium's are the client's. Some hosts show their guests more of their own processor than CPUID was set to, and the
// registers that belong to it are the kernel's.
void KvmCpu::serve_msr(const sla_kvm_exit& exit) {
    const auto number = static_cast<std::uint32_t>(exit.address);
    bool served = false;
    if (exit.write) {
        served = client_.write_msr(number, *exit.value);
        if (!served && sla_kvm_write_msr(kvm_.get(), number, *exit.value) == 0) {
            client_.own_msr(true, number, *exit.value);
            served = true;
        }
    } else if (const auto value = client_.read_msr(number)) {
        *exit.value = *value;
        served = true;
    } else if (sla_kvm_read_msr(kvm_.get(), number, exit.value) == 0) {
        client_.own_msr(false, number, *exit.value);
        served = true;
    }
    *exit.refused = served ? 0 : 1;
}

CodeAddress KvmCpu::running_address() {
    LinearMemory memory(memory_, write_, state());
    std::optional<std::uint32_t> at;
    if (port_access_) at = address_of(*port_access_, state(), memory, abilities_.out_ends_behind);
    if (memory_access_) at = address_of(*memory_access_, state(), memory);
    return at ? CodeAddress{state().segments[kCs].selector, *at, true} : CodeAddress{};
}

}  // namespace sla::cpu
