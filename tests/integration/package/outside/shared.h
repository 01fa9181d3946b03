#pragma once

// How many marker arguments the shared object has evaluated.
int mark_in_shared_object();
