// The C interface as a C++ object that can't be leaked.
#pragma once

#include "blocminer.h"

#include <stdexcept>
#include <string>
#include <utility>

// Throws with the library's own words where a call failed.
inline void require(blocminer_status_t status) {
    if (status != BLOCMINER_OK) {
        throw std::runtime_error(std::string(blocminer_status_text(status)) + ": " + blocminer_last_error());
    }
}

class Miner {
  public:
    explicit Miner(const blocminer_options_t &options) { require(blocminer_create(&options, &handle_)); }
    ~Miner() { blocminer_destroy(handle_); }
    Miner(const Miner &) = delete;
    Miner &operator=(const Miner &) = delete;

    void start() { require(blocminer_start(handle_)); }
    void stop() { require(blocminer_stop(handle_)); }
    void set_job(const blocminer_job_t &job) { require(blocminer_set_job(handle_, &job)); }

    blocminer_statistics_t statistics() const {
        BLOCMINER_INIT(blocminer_statistics_t, statistics);
        require(blocminer_statistics(handle_, &statistics));
        return statistics;
    }

    blocminer_t *handle() const { return handle_; }

  private:
    blocminer_t *handle_ = nullptr;
};
