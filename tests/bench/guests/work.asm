; Nothing but the work of work.inc.
%include "image.inc"
%include "work.inc"
        BEGIN_GUEST
        WORK
        END_GUEST
