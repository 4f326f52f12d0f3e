/* module.h - backends that are shared libraries of their own, loaded when they are asked for. */
#ifndef TALLY_MODULE_H
#define TALLY_MODULE_H

#include "backend.h"

/* The backend that a module holds, or NULL: then info (if not NULL) says why, and where it was
 * looked for. A module stays loaded. */
const tally_backend *tally_module_load(tally_backend_id id, tally_backend_info *info);

#endif
