#include "unroll/version.h"

#include "version.h"

namespace unroll {

const char* version() { return UNROLL_VERSION_TEXT; }

}  // namespace unroll
