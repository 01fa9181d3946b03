/* What the files of kvm_shim share. */
#pragma once

#include "emu/cpu/kvm/kvm_shim.h"

#include <linux/kvm.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct sla_kvm {
    int system, machine, processor;
    struct kvm_run* shared;
    size_t shared_bytes;
    timer_t timer;
    bool has_timer;
    /* A run leaves the registers in `shared`, which costs nothing; asking for them costs half as much as a run. */
    bool syncs;
    bool synced; /* they are there, and nothing has changed them since */
};

/* 0 or an errno. */
int sla_kvm_call(int descriptor, unsigned long request, void* argument);

/* The timer whose signal ends this thread's runs. */
int sla_kvm_make_timer(struct sla_kvm* kvm);
void sla_kvm_delete_timer(struct sla_kvm* kvm);
