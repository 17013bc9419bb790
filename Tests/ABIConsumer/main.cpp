// A program in the shape of a wallet's daemon that embeds the library.
//     abi-consumer TEMPLATES               runs every check
//     abi-consumer TEMPLATES CHECK…        runs some
//     abi-consumer TEMPLATES daemon        takes start_mining [THREADS [LANES]], stop_mining, mining_status, exit on
//     stdin
#include "checks.hpp"
#include "daemon.hpp"

#include <chrono>
#include <iostream>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace {

const std::pair<const char *, void (*)(const std::vector<BlockTemplate> &)> checks[] = {
    {"hashing", check_hashing},     {"two-instances", check_two_instances},
    {"stop-time", check_stop_time}, {"callbacks", check_callbacks},
    {"fork", check_fork},           {"commands", check_daemon},
    {"cycles", check_cycles},
};

// A child of a parent that hasn't used the library yet is free to.
bool works_in_child() {
    const pid_t child = fork();
    if (child == 0) {
        std::uint8_t hash[BLOCMINER_HASH_SIZE] = {};
        _exit(blocminer_hash("cn-pico", "input", 5, 0, hash) == BLOCMINER_OK ? 0 : 1);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0;
}

void serve(const std::vector<BlockTemplate> &templates) {
    WalletDaemon daemon(templates, std::cout);
    for (std::string line; std::getline(std::cin, line) && daemon.command(line);) {
    }
}

bool run(const std::string &name, void (*check)(const std::vector<BlockTemplate> &),
         const std::vector<BlockTemplate> &templates) {
    const auto start = std::chrono::steady_clock::now();
    std::string complaint;
    try {
        check(templates);
    } catch (const std::exception &error) {
        complaint = error.what();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << name << (complaint.empty() ? ": well" : ": FAILED: " + complaint) << " (" << took.count() << " s)"
              << std::endl;
    return complaint.empty();
}

} // namespace

int main(int count, char **arguments) {
    if (count < 2) {
        std::cerr << "usage: abi-consumer TEMPLATES [CHECK… | daemon]" << std::endl;
        return 2;
    }
    const std::vector<BlockTemplate> templates = read_templates(arguments[1]);
    const std::vector<std::string> wanted(arguments + 2, arguments + count);
    if (!wanted.empty() && wanted.front() == "daemon") {
        serve(templates);
        return 0;
    }
    bool is_well = works_in_child();
    std::size_t done = 0;
    for (const auto &check : checks) {
        bool is_wanted = wanted.empty();
        for (const std::string &name : wanted) {
            is_wanted = is_wanted || name == check.first;
        }
        if (is_wanted) {
            is_well = run(check.first, check.second, templates) && is_well;
            done++;
        }
    }
    return is_well && done > 0 ? 0 : 1;
}
