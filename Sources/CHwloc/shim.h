#include <hwloc.h>
