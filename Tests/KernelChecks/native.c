// Compares the machine code of cn/r programs with the interpreter, and tells what this system lets it lie in.
//
//     native agree       thousands of heights, each on registers of its own
//     native pages       no page is ever writable and executable at once
//     native hardened    the same under PR_SET_MDWE, where pages of a memory file remain
//     native refused     nothing may be executable: there is no code, and that is no failure
#include "native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if CHK_GENERATES_CODE

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE              65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

enum { RANDOM_HEIGHTS = 6000, SUCCESSIVE_HEIGHTS = 2000, RUNS = 16, HARDENED_HEIGHTS = 200 };

static uint64_t random_state = 20181018;

static uint64_t random_word(void) {
    random_state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/// Words among which rotations by 0, 31 and 32 and the ends of the range are not rare.
static uint32_t random_register(void) {
    static const uint32_t edges[] = {0, 1, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    const uint64_t word = random_word();
    return word >> 62 == 0 ? edges[word & 7] : (uint32_t)word;
}

static bool complain(uint64_t height, const char *what) {
    fprintf(stderr, "height %lu: %s\n", (unsigned long)height, what);
    return false;
}

/// Runs both on random registers and compares all nine of them.
static bool runs_agree(const chk_program *program, const chk_code *code) {
    for (int run = 0; run < RUNS; run++) {
        uint32_t interpreted[CHK_PROGRAM_REGISTERS], native[CHK_PROGRAM_REGISTERS];
        for (int i = 0; i < CHK_PROGRAM_REGISTERS; i++)
            interpreted[i] = native[i] = random_register();
        chk_program_run(program, interpreted);
        chk_code_run(code, native);
        if (memcmp(interpreted, native, sizeof(native)) != 0)
            return complain(program->height, "machine code and interpreter disagree");
    }
    return true;
}

/// The same with wide code, every column on registers of its own. The CPU may have none.
static bool wide_runs_agree(const chk_program *program, const chk_code *code) {
    if (code->wide == NULL)
        return !chk_cpu_has_avx2() || complain(program->height, "no wide code, though the CPU runs AVX2");
    chk_register_table native, interpreted;
    for (int i = 0; i < CHK_PROGRAM_REGISTERS; i++)
        for (int lane = 0; lane < CHK_WIDE_LANES; lane++)
            native.rows[i][lane] = interpreted.rows[i][lane] = random_register();
    for (int lane = 0; lane < CHK_WIDE_LANES; lane++) {
        uint32_t registers[CHK_PROGRAM_REGISTERS];
        for (int i = 0; i < CHK_PROGRAM_REGISTERS; i++)
            registers[i] = interpreted.rows[i][lane];
        chk_program_run(program, registers);
        for (int i = 0; i < CHK_PROGRAM_REGISTERS; i++)
            interpreted.rows[i][lane] = registers[i];
    }
    code->wide(&native);
    return memcmp(&native, &interpreted, sizeof(native)) == 0 ||
           complain(program->height, "wide code and interpreter disagree");
}

/// Whether no mapping of this process is writable and executable.
static bool pages_hold(uint64_t height) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], rights[5] = "";
    bool hold = maps != NULL, some = false;
    while (hold && fgets(line, sizeof(line), maps) != NULL) {
        some = sscanf(line, "%*s %4s", rights) == 1;
        hold = some && !(rights[1] == 'w' && rights[2] == 'x');
    }
    if (maps != NULL)
        fclose(maps);
    return (hold && some) || complain(height, "a page is writable and executable, or none can be seen");
}

/// Whether the mapping that holds `address` has these rights.
static bool has_rights(const void *address, const char *expected) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], rights[5] = "";
    unsigned long start, end;
    bool found = false;
    while (maps != NULL && !found && fgets(line, sizeof(line), maps) != NULL)
        found = sscanf(line, "%lx-%lx %4s", &start, &end, rights) == 3 && start <= (uintptr_t)address &&
                (uintptr_t)address < end;
    if (maps != NULL)
        fclose(maps);
    return found && strcmp(rights, expected) == 0;
}

static bool height_holds(uint64_t height, chk_code_origin expected, bool look) {
    chk_program program;
    chk_program_make(&program, height);
    chk_code_origin origin;
    chk_code *code = chk_code_make(&program, &origin);
    if (code == NULL || origin != expected)
        return complain(height, "no machine code, or not where it should be");
    bool holds = code->height == height && runs_agree(&program, code) && wide_runs_agree(&program, code);
    if (look)
        holds = holds && pages_hold(height) &&
                (has_rights(code->entry, "r-xp") || complain(height, "the code's page has other rights"));
    const void *entry = code->entry;
    chk_code_free(code);
    if (look && has_rights(entry, "r-xp"))
        return complain(height, "the page outlives its code");
    return holds;
}

static int tell(const char *what, bool holds) {
    if (holds)
        printf("native: %s\n", what);
    return holds ? 0 : 1;
}

static int agree(void) {
    static const uint64_t special[] = {0, 1, 1806260, 1806261, 1806262, 21999999, UINT32_MAX, UINT64_MAX};
    bool holds = true;
    for (size_t i = 0; holds && i < sizeof(special) / sizeof(special[0]); i++)
        holds = height_holds(special[i], CHK_CODE_IN_TURNED_PAGE, false);
    for (uint64_t i = 0; holds && i < SUCCESSIVE_HEIGHTS; i++)
        holds = height_holds(1806260 + i, CHK_CODE_IN_TURNED_PAGE, false);
    for (int i = 0; holds && i < RANDOM_HEIGHTS; i++)
        holds = height_holds(random_word() % 22000000, CHK_CODE_IN_TURNED_PAGE, false);
    return tell("machine code and interpreter agree", holds);
}

static int pages(void) {
    bool holds = true;
    for (uint64_t i = 0; holds && i < HARDENED_HEIGHTS; i++)
        holds = height_holds(1806260 + i, CHK_CODE_IN_TURNED_PAGE, true);
    return tell("no page is writable and executable", holds);
}

static int hardened(void) {
    if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0) {
        printf("skipped: PR_SET_MDWE, which this kernel lacks\n");
        return 0;
    }
    bool holds = true;
    for (uint64_t i = 0; holds && i < HARDENED_HEIGHTS; i++)
        holds = height_holds(1806260 + i, CHK_CODE_IN_FILE_PAGE, true);
    return tell("runs from a memory file where pages must not become executable", holds);
}

/// From here on, mmap and mprotect fail when they are to make something executable.
static bool refuse_executable_pages(void) {
    enum { THIRD = offsetof(struct seccomp_data, args[2]) };
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, THIRD),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int refused(void) {
    if (!refuse_executable_pages()) {
        printf("skipped: seccomp filters, which this kernel lacks\n");
        return 0;
    }
    chk_program program;
    chk_program_make(&program, 1806260);
    chk_code_origin origin = CHK_CODE_NO_GENERATOR;
    const bool holds = chk_code_make(&program, &origin) == NULL && origin == CHK_CODE_REFUSED;
    return tell("there is no code where nothing may be executable",
                holds || complain(program.height, "machine code that is refused"));
}

int main(int argument_count, char **arguments) {
    static const struct {
        const char *name;
        int (*check)(void);
    } checks[] = {{"agree", agree}, {"pages", pages}, {"hardened", hardened}, {"refused", refused}};
    for (size_t i = 0; argument_count == 2 && i < sizeof(checks) / sizeof(checks[0]); i++)
        if (strcmp(arguments[1], checks[i].name) == 0)
            return checks[i].check();
    fputs("usage: native agree|pages|hardened|refused\n", stderr);
    return 2;
}

#else

int main(void) {
    chk_program program;
    chk_program_make(&program, 1806260);
    chk_code_origin origin = CHK_CODE_REFUSED;
    const bool holds = chk_code_make(&program, &origin) == NULL && origin == CHK_CODE_NO_GENERATOR;
    puts(holds ? "native: no machine code for this architecture, programs are interpreted"
               : "machine code without a generator");
    return holds ? 0 : 1;
}

#endif
