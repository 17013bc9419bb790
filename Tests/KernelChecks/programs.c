// Checks the generator and the interpreter of cn/r programs against known programs.
//
//     clang -O2 -Wall -Wextra -Werror -I CHashKernels/include -I CHashKernels/random_math \
//         Tests/KernelChecks/programs.c CHashKernels/random_math/program.c CHashKernels/finals/blake256.c -o programs
//     programs Tests/Vectors/programs.json
//
// A line of the file holds a height, the number of instructions, the instructions as [operation, destination, source,
// constant], and what r0 … r3 become when the program runs on registers that start at multiples of 0x9e3779b9.
#include "random_math.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/// The next number in the text, whatever stands before it; past the last one, a number that is never right.
static uint64_t next_number(char **text) {
    while (**text != '\0' && !isdigit((unsigned char)**text))
        ++*text;
    return **text != '\0' ? strtoull(*text, text, 10) : UINT64_MAX;
}

static bool code_holds(const chk_program *program, char **text) {
    bool holds = next_number(text) == program->count;
    for (uint32_t i = 0; holds && i < program->count; i++) {
        const chk_instruction *instruction = &program->code[i];
        holds = next_number(text) == instruction->operation && next_number(text) == instruction->destination &&
                next_number(text) == instruction->source && next_number(text) == instruction->constant;
    }
    return holds;
}

static bool result_holds(const chk_program *program, char **text) {
    uint32_t registers[CHK_PROGRAM_REGISTERS];
    for (uint32_t i = 0; i < CHK_PROGRAM_REGISTERS; i++)
        registers[i] = 0x9e3779b9 * (i + 1);
    chk_program_run(program, registers);
    for (uint32_t i = 0; i < CHK_PROGRAM_VARIABLES; i++)
        if (next_number(text) != registers[i])
            return false;
    return true;
}

/// Checks the program on each line; the number of those that hold, or -1 after telling about one that doesn't.
static int count_programs(FILE *vectors) {
    char *line = NULL;
    size_t capacity = 0;
    int count = 0;
    while (count >= 0 && getline(&line, &capacity, vectors) > 0) {
        if (line[0] != '{')
            continue;
        char *text = line;
        chk_program program;
        chk_program_make(&program, next_number(&text));
        if (code_holds(&program, &text) && result_holds(&program, &text)) {
            count++;
        } else {
            fprintf(stderr, "the program of height %llu doesn't hold\n", (unsigned long long)program.height);
            count = -1;
        }
    }
    free(line);
    return count;
}

int main(int argument_count, char **arguments) {
    FILE *vectors = argument_count == 2 ? fopen(arguments[1], "r") : NULL;
    if (vectors == NULL) {
        fputs("usage: programs PROGRAMS.JSON\n", stderr);
        return 2;
    }
    const int count = count_programs(vectors);
    fclose(vectors);
    if (count > 0)
        printf("%d programs hold\n", count);
    return count > 0 ? 0 : 1;
}
