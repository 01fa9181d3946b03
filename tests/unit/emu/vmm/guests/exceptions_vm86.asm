; #DB, #BP and #UD in virtual 8086 mode.
%define MODE VM86
%include "exceptions.inc"
