; #DB, #BP and #UD in real mode.
%define MODE REAL
%include "exceptions.inc"
