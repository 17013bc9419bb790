// The functions of the header are in Sources/BlocMinerABI. A C target needs a source file.
#include "blocminer.h"
