// A program around one miner that waits for things to happen.
#pragma once

#include "miner.hpp"
#include "templates.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

// Throws std::runtime_error with `complaint` unless `is_so`.
void demand(bool is_so, const char *complaint);

// Waits until `is_so`, for a minute at most.
void wait_until(const std::function<bool()> &is_so, const char *what);

class Host {
  public:
    Host(unsigned threads, unsigned lanes);

    Miner &miner() { return *miner_; }

    // Mines the template's blob by `algorithm`, at `difficulty`.
    void mine(const BlockTemplate &block, const char *algorithm, std::uint64_t difficulty);

    void wait_for(blocminer_event_type_t type);
    void wait_for_shares(unsigned count);

    // Shares whose hash isn't that of the job.
    unsigned wrong_shares() const;

  private:
    static void heard(void *host, const blocminer_event_t *event);

    std::string algorithm_;
    BlockTemplate block_;
    std::uint64_t difficulty_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable news_;
    std::map<blocminer_event_type_t, unsigned> counts_;
    std::map<std::uint32_t, std::vector<std::uint8_t>> shares_;
    // The last member: gone before what its callbacks use.
    std::unique_ptr<Miner> miner_;
};
