; #DB, #BP and #UD in ring 3.
%define MODE RING3
%include "exceptions.inc"
