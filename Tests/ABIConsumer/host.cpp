#include "host.hpp"

#include <chrono>
#include <cstring>
#include <thread>

using namespace std::chrono_literals;

void demand(bool is_so, const char *complaint) {
    if (!is_so) {
        throw std::runtime_error(complaint);
    }
}

void wait_until(const std::function<bool()> &is_so, const char *what) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!is_so()) {
        if (std::chrono::steady_clock::now() > end) {
            throw std::runtime_error(std::string("waited in vain for ") + what);
        }
        std::this_thread::sleep_for(5ms);
    }
}

Host::Host(unsigned threads, unsigned lanes) {
    BLOCMINER_INIT(blocminer_options_t, options);
    options.threads = threads;
    options.lanes = lanes;
    options.callback = heard;
    options.context = this;
    miner_ = std::make_unique<Miner>(options);
}

void Host::mine(const BlockTemplate &block, const char *algorithm, std::uint64_t difficulty) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        block_ = block;
        algorithm_ = algorithm;
        difficulty_ = difficulty;
    }
    BLOCMINER_INIT(blocminer_job_t, job);
    job.job = 7;
    job.blob = block.blob.data();
    job.blob_bytes = block.blob.size();
    job.algorithm = algorithm;
    job.difficulty = difficulty;
    job.height = block.height;
    miner_->set_job(job);
}

void Host::wait_for(blocminer_event_type_t type) {
    std::unique_lock<std::mutex> lock(mutex_);
    demand(news_.wait_for(lock, 60s, [&] { return counts_[type] > 0; }), "an event did not come");
}

void Host::wait_for_shares(unsigned count) {
    std::unique_lock<std::mutex> lock(mutex_);
    demand(news_.wait_for(lock, 60s, [&] { return shares_.size() >= count; }), "shares did not come");
}

unsigned Host::wrong_shares() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    unsigned wrong = 0;
    for (const auto &share : shares_) {
        const std::vector<std::uint8_t> blob = block_.blob_with(share.first);
        std::uint8_t hash[BLOCMINER_HASH_SIZE] = {};
        const blocminer_status_t verdict =
            blocminer_verify(algorithm_.c_str(), blob.data(), blob.size(), block_.height, difficulty_, hash);
        if (verdict != BLOCMINER_OK || std::memcmp(hash, share.second.data(), sizeof hash) != 0) {
            wrong++;
        }
    }
    return wrong;
}

void Host::heard(void *host, const blocminer_event_t *event) {
    Host *self = static_cast<Host *>(host);
    const std::lock_guard<std::mutex> lock(self->mutex_);
    self->counts_[event->type]++;
    if (event->outcome == BLOCMINER_SHARE_FOUND) {
        self->shares_[event->nonce].assign(event->hash, event->hash + BLOCMINER_HASH_SIZE);
    }
    self->news_.notify_all();
}
