// Checks of what the library does to its process: threads, memory, children.
#include "checks.hpp"
#include "host.hpp"

#include <chrono>
#include <fstream>
#include <iostream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

namespace {

// A number of /proc/self/status.
long process_figure(const std::string &name) {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;) {
        if (word == name + ":") {
            long figure = 0;
            file >> figure;
            return figure;
        }
    }
    return 0;
}

void cycle(const std::vector<BlockTemplate> &templates, int number) {
    const BlockTemplate &block = templates[static_cast<std::size_t>(number) % templates.size()];
    Host host(1, 2);
    host.mine(block, number % 2 == 0 ? block.algorithm.c_str() : "cn-pico", 3);
    host.miner().start();
    // How far it comes before its end.
    switch (number % 5) {
    case 0:
        break;
    case 1:
        host.wait_for(BLOCMINER_EVENT_STARTED);
        break;
    case 2:
        host.wait_for(BLOCMINER_EVENT_JOB);
        break;
    case 3:
        host.wait_for_shares(1);
        break;
    default:
        // Stopped and started again; destroyed while it runs.
        host.miner().stop();
        host.miner().start();
        return;
    }
    host.miner().stop();
}

// Ends the child at once, without the exit handlers of the parent's sanitizer.
[[noreturn]] void end_child(bool is_well) {
    _exit(is_well ? 0 : 1);
}

void demand_good_end(pid_t child, const char *complaint) {
    int status = 0;
    demand(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0, complaint);
}

} // namespace

void check_cycles(const std::vector<BlockTemplate> &templates) {
    const int warm_up = 20, cycles = 200;
    long threads = 0, memory = 0;
    for (int number = 0; number < warm_up + cycles; number++) {
        cycle(templates, number);
        if (number == warm_up - 1) {
            // Threads of Dispatch's pool stay for some seconds.
            std::this_thread::sleep_for(8s);
            threads = process_figure("Threads");
            memory = process_figure("VmRSS");
        }
    }
    std::this_thread::sleep_for(8s);
    const long more_threads = process_figure("Threads") - threads;
    const long more_memory = process_figure("VmRSS") - memory;
    std::cout << cycles << " cycles: " << threads << " threads and " << more_threads << " more, " << memory
              << " KiB and " << more_memory << " KiB more" << std::endl;
    demand(more_threads <= 1, "threads are left over");
    demand(more_memory <= 8 * 1024, "memory is left over");
}

void check_fork(const std::vector<BlockTemplate> &templates) {
    Host host(1, 2);
    host.mine(templates.front(), "cn-pico", 20);
    host.miner().start();
    host.wait_for_shares(1);

    const pid_t child = fork();
    if (child == 0) {
        BLOCMINER_INIT(blocminer_options_t, options);
        BLOCMINER_INIT(blocminer_statistics_t, statistics);
        blocminer_t *other = nullptr, *inherited = host.miner().handle();
        std::uint8_t hash[BLOCMINER_HASH_SIZE] = {};
        const blocminer_status_t statuses[] = {
            blocminer_create(&options, &other),
            blocminer_start(inherited),
            blocminer_pause(inherited),
            blocminer_stop(inherited),
            blocminer_set_job(inherited, nullptr),
            blocminer_statistics(inherited, &statistics),
            blocminer_destroy(inherited),
            blocminer_hash("cn-pico", "input", 5, 0, hash),
        };
        bool is_well = other == nullptr;
        for (const blocminer_status_t status : statuses) {
            is_well = is_well && status == BLOCMINER_FORKED;
        }
        end_child(is_well);
    }
    demand_good_end(child, "a child's call did not return BLOCMINER_FORKED");

    const pid_t other = fork();
    if (other == 0) {
        execl("/bin/true", "true", static_cast<char *>(nullptr));
        end_child(false);
    }
    demand_good_end(other, "exec after fork failed");
    host.wait_for_shares(5);
    demand(host.wrong_shares() == 0, "the parent's shares are wrong");
}
