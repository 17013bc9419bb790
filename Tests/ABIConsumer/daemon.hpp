// A wallet's daemon, as far as mining goes: an event loop of its own, commands, a chain of block templates.
#pragma once

#include "miner.hpp"
#include "templates.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <thread>
#include <vector>

class WalletDaemon {
  public:
    // Answers go to `out`, from the loop's thread.
    WalletDaemon(std::vector<BlockTemplate> templates, std::ostream &out);
    ~WalletDaemon();
    WalletDaemon(const WalletDaemon &) = delete;
    WalletDaemon &operator=(const WalletDaemon &) = delete;

    // A line such as "start_mining 2", "stop_mining", "mining_status". Returns at once. False for "exit".
    bool command(const std::string &line);

    // Waits until all that was posted before is done.
    void settle();

    // Blocks that were found, put into the chain and checked.
    std::uint64_t blocks() const { return blocks_; }

  private:
    void post(std::function<void()> task);
    void run();

    // On the loop's thread.
    void start_mining(unsigned threads, unsigned lanes);
    void stop_mining();
    void mining_status();
    void next_template();
    void submit(std::uint64_t job, std::uint32_t nonce);

    // On the library's event thread: only hands over.
    static void heard(void *daemon, const blocminer_event_t *event);

    std::vector<BlockTemplate> templates_;
    std::ostream &out_;
    std::unique_ptr<Miner> miner_;
    std::uint64_t job_ = 0;
    std::atomic<std::uint64_t> blocks_{0};
    std::uint64_t late_ = 0;

    std::mutex mutex_;
    std::condition_variable posted_;
    std::deque<std::function<void()>> tasks_;
    bool is_over_ = false;
    std::thread loop_;
};
