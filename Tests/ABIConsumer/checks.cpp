#include "checks.hpp"

#include "daemon.hpp"
#include "host.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <iostream>
#include <sstream>

using namespace std::chrono_literals;

void check_hashing(const std::vector<BlockTemplate> &templates) {
    for (const BlockTemplate &block : templates) {
        const std::vector<std::uint8_t> blob = block.blob_with(block.nonce);
        std::uint8_t hash[BLOCMINER_HASH_SIZE] = {};
        require(blocminer_hash(block.algorithm.c_str(), blob.data(), blob.size(), block.height, hash));
        demand(std::memcmp(hash, block.proof_of_work.data(), sizeof hash) == 0, "a wrong hash");
        require(blocminer_verify(block.algorithm.c_str(), blob.data(), blob.size(), block.height, block.difficulty,
                                 nullptr));
    }
}

void check_two_instances(const std::vector<BlockTemplate> &templates) {
    Host heavy(1, 1), pico(1, 2);
    heavy.mine(templates.back(), "cn-heavy/xhv", 3);
    pico.mine(templates.back(), "cn-pico", 20);
    heavy.miner().start();
    pico.miner().start();
    heavy.wait_for_shares(2);
    pico.wait_for_shares(10);
    for (const Host *host : {&heavy, &pico}) {
        demand(host->wrong_shares() == 0, "a share of one miner is none of its job");
    }
}

void check_stop_time(const std::vector<BlockTemplate> &templates) {
    for (int round = 0; round < 2; round++) {
        Host host(2, 24);
        host.mine(templates.back(), "cn-heavy/xhv", UINT64_MAX);
        host.miner().start();
        host.wait_for(BLOCMINER_EVENT_JOB);
        // A batch takes longer than this.
        std::this_thread::sleep_for(200ms);
        const auto start = std::chrono::steady_clock::now();
        host.miner().stop();
        const auto took =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
        std::cout << "stopped in " << took.count() << " ms" << std::endl;
        demand(took < 1s, "the stop took a second or more");
    }
}

namespace {

// What a callback does that can't let go of the library.
struct Meddler {
    blocminer_t *miner = nullptr;
    std::atomic<int> shares{0};
    std::atomic<int> wrong{0};
    std::atomic<bool> is_ending{false};
    std::atomic<bool> is_gone{false};

    void expect(blocminer_status_t status, blocminer_status_t expected) {
        if (status != expected) {
            wrong++;
        }
    }

    static void heard(void *context, const blocminer_event_t *event) {
        Meddler *self = static_cast<Meddler *>(context);
        if (self->is_gone) {
            self->wrong++;
        }
        self->expect(blocminer_stop(self->miner), BLOCMINER_IN_CALLBACK);
        self->expect(blocminer_destroy(self->miner), BLOCMINER_IN_CALLBACK);
        BLOCMINER_INIT(blocminer_statistics_t, statistics);
        self->expect(blocminer_statistics(self->miner, &statistics), BLOCMINER_OK);
        if (event->type == BLOCMINER_EVENT_SHARE) {
            // Once destroy has begun, here or while these are called, there is nothing to pause any more.
            for (const blocminer_status_t status : {blocminer_pause(self->miner), blocminer_resume(self->miner)}) {
                self->expect(status == BLOCMINER_WRONG_STATE && self->is_ending ? BLOCMINER_OK : status, BLOCMINER_OK);
            }
            self->shares++;
        }
    }
};

} // namespace

void check_callbacks(const std::vector<BlockTemplate> &templates) {
    const BlockTemplate &block = templates.front();
    for (int round = 0; round < 5; round++) {
        Meddler meddler;
        BLOCMINER_INIT(blocminer_options_t, options);
        options.threads = 1;
        options.lanes = 2;
        options.callback = Meddler::heard;
        options.context = &meddler;
        BLOCMINER_INIT(blocminer_job_t, job);
        job.job = 1;
        job.blob = block.blob.data();
        job.blob_bytes = block.blob.size();
        job.algorithm = "cn/upx2";
        job.difficulty = 10;
        require(blocminer_create(&options, &meddler.miner));
        require(blocminer_set_job(meddler.miner, &job));
        require(blocminer_start(meddler.miner));
        wait_until([&] { return meddler.shares >= 5; }, "shares");
        // No stop before: destroy ends it, amid callbacks.
        meddler.is_ending = true;
        require(blocminer_destroy(meddler.miner));
        meddler.is_gone = true;
        std::this_thread::sleep_for(50ms);
        demand(meddler.wrong == 0, "a call within a callback did not do what it should, or came too late");
        demand(blocminer_start(meddler.miner) == BLOCMINER_INVALID_HANDLE, "a destroyed miner starts");
    }
}

void check_daemon(const std::vector<BlockTemplate> &templates) {
    std::ostringstream said;
    {
        WalletDaemon daemon(templates, said);
        for (int round = 0; round < 3; round++) {
            const std::uint64_t before = daemon.blocks();
            daemon.command("start_mining 1 2");
            wait_until(
                [&] {
                    daemon.settle();
                    return daemon.blocks() >= before + 3;
                },
                "blocks");
            daemon.command("mining_status");
            daemon.command("stop_mining");
        }
        daemon.command("mining_status");
        daemon.command("hello");
    }
    const std::string text = said.str();
    for (const char *words : {"mining started", "mining: ", "block ", "not mining, ", "error: unknown command hello"}) {
        demand(text.find(words) != std::string::npos, words);
    }
    demand(text.find("warning:") == std::string::npos, text.c_str());
}
