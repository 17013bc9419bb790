// Linked into a check with --wrap=getauxval, this hides the AES extension of an AArch64 CPU: no emulator offers one
// that lacks it.
#include <sys/auxv.h>

unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);

unsigned long __wrap_getauxval(unsigned long type) {
    unsigned long value = __real_getauxval(type);
    return type == AT_HWCAP ? value & ~(unsigned long)HWCAP_AES : value;
}
