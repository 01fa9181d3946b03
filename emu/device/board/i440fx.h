// The PCI functions of an Intel 440FX board, as firmware finds them.
//
//   00:00.0  82441FX host bridge (data sheet 290549): PAM0-PAM6 at 59h-5Fh, SMRAM at 72h
//   00:01.0  82371SB PIIX3, ISA bridge (290550): PIRQA-PIRQD at 60h-63h
//   00:01.1  PIIX3, IDE in compatible mode; no bus master
//   00:01.3  82371AB PIIX4, power management (290562): I/O base at 40h, see Piix4Pm
//
// The PAM registers keep their values and nothing more: the PC's shadow RAM holds the firmware from the start and can always
// be written, so that there is nothing to switch. Owned by the machine's thread.
#pragma once

#include "emu/device/board/pci_function.h"
#include "emu/device/board/pci_host.h"
#include "emu/device/board/piix4_pm.h"

namespace sla::device {

class I440fx {
public:
    I440fx(PciHost& host, Piix4Pm& power);

private:
    PciFunction host_bridge_;
    PciFunction isa_bridge_;
    PciFunction ide_;
    PciFunction power_;
};

}  // namespace sla::device
