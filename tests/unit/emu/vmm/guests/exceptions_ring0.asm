; #DB, #BP and #UD in ring 0 of protected mode.
%define MODE RING0
%include "exceptions.inc"
