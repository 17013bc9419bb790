// The memory of machine code: filled first, executable afterwards, and never both.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // memfd_create
#endif
#include "native.h"

#include <stdlib.h>
#include <string.h>

#if CHK_GENERATES_CODE

#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

_Static_assert(CHK_CODE_BYTES_MAX + CHK_WIDE_CODE_BYTES_MAX <= CHK_CODE_PAGE_BYTES, "both codes have room");

/// A private page that is writable until it holds the code and executable from then on. NULL where that is refused, as
/// under PR_SET_MDWE or systemd's MemoryDenyWriteExecute.
static const void *turned_page(const uint8_t *bytes, size_t count) {
    void *page = mmap(NULL, CHK_CODE_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return NULL;
    memcpy(page, bytes, count);
    if (mprotect(page, CHK_CODE_PAGE_BYTES, PROT_READ | PROT_EXEC) == 0)
        return page;
    munmap(page, CHK_CODE_PAGE_BYTES);
    return NULL;
}

/// A file in memory that may be executed. Kernels before 6.3 don't know that this needs saying.
static int memory_file(void) {
    const int file = memfd_create("cn/r program", MFD_CLOEXEC | MFD_EXEC);
    return file >= 0 ? file : memfd_create("cn/r program", MFD_CLOEXEC);
}

/// A page of a file in memory, which is written as a file and mapped executable: no page of it is ever mapped writable.
static const void *file_page(const uint8_t *bytes, size_t count) {
    const int file = memory_file();
    if (file < 0)
        return NULL;
    void *page = MAP_FAILED;
    if (write(file, bytes, count) == (ssize_t)count)
        page = mmap(NULL, CHK_CODE_PAGE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    close(file);
    return page == MAP_FAILED ? NULL : page;
}

chk_code *chk_code_make(const chk_program *program, chk_code_origin *origin) {
    uint8_t bytes[CHK_CODE_PAGE_BYTES] = {0};
    *origin = CHK_CODE_REFUSED;
    chk_code *code = chk_program_is_sound(program) ? malloc(sizeof(*code)) : NULL;
    if (code == NULL)
        return NULL;
    size_t count = chk_code_generate(program, bytes);
    const size_t wide_offset = chk_cpu_has_avx2() ? count : 0;
    if (wide_offset > 0)
        count += chk_wide_code_generate(program, bytes + wide_offset);
    *origin = CHK_CODE_IN_TURNED_PAGE;
    code->height = program->height;
    code->entry = turned_page(bytes, count);
    if (code->entry == NULL) {
        *origin = CHK_CODE_IN_FILE_PAGE;
        code->entry = file_page(bytes, count);
    }
    if (code->entry != NULL) {
        code->wide = wide_offset > 0 ? (chk_wide_run *)((uintptr_t)code->entry + wide_offset) : NULL;
        return code;
    }
    *origin = CHK_CODE_REFUSED;
    free(code);
    return NULL;
}

void chk_code_free(chk_code *code) {
    if (code == NULL)
        return;
    munmap((void *)(uintptr_t)code->entry, CHK_CODE_PAGE_BYTES);
    free(code);
}

#else

chk_code *chk_code_make(const chk_program *program, chk_code_origin *origin) {
    (void)program;
    *origin = CHK_CODE_NO_GENERATOR;
    return NULL;
}

void chk_code_free(chk_code *code) {
    (void)code;
}

#endif
