#include "daemon.hpp"

#include <future>
#include <sstream>

WalletDaemon::WalletDaemon(std::vector<BlockTemplate> templates, std::ostream &out)
    : templates_(std::move(templates)), out_(out), loop_([this] { run(); }) {}

WalletDaemon::~WalletDaemon() {
    post([this] {
        stop_mining();
        is_over_ = true;
    });
    loop_.join();
}

void WalletDaemon::post(std::function<void()> task) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    posted_.notify_one();
}

void WalletDaemon::run() {
    while (!is_over_) {
        std::unique_lock<std::mutex> lock(mutex_);
        posted_.wait(lock, [this] { return !tasks_.empty(); });
        const std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        try {
            task();
        } catch (const std::exception &error) {
            out_ << "error: " << error.what() << std::endl;
        }
    }
}

void WalletDaemon::settle() {
    std::promise<void> done;
    post([&done] { done.set_value(); });
    done.get_future().wait();
}

bool WalletDaemon::command(const std::string &line) {
    std::istringstream words(line);
    std::string verb;
    unsigned threads = 0, lanes = 0;
    words >> verb >> threads >> lanes;
    if (verb == "start_mining") {
        post([this, threads, lanes] { start_mining(threads, lanes); });
    } else if (verb == "stop_mining") {
        post([this] { stop_mining(); });
    } else if (verb == "mining_status") {
        post([this] { mining_status(); });
    } else if (verb != "exit") {
        post([this, verb] { out_ << "error: unknown command " << verb << std::endl; });
    }
    return verb != "exit";
}

void WalletDaemon::start_mining(unsigned threads, unsigned lanes) {
    if (miner_) {
        throw std::runtime_error("mining already");
    }
    BLOCMINER_INIT(blocminer_options_t, options);
    options.threads = threads;
    options.lanes = lanes;
    options.callback = heard;
    options.context = this;
    auto miner = std::make_unique<Miner>(options);
    miner->start();
    miner_ = std::move(miner);
    next_template();
    out_ << "mining started" << std::endl;
}

void WalletDaemon::stop_mining() {
    // No event comes once this returns; those that have been posted find no miner.
    miner_.reset();
    out_ << "mining stopped" << std::endl;
}

void WalletDaemon::mining_status() {
    if (!miner_) {
        out_ << "not mining, " << blocks_ << " blocks" << std::endl;
        return;
    }
    const blocminer_statistics_t statistics = miner_->statistics();
    out_ << "mining: " << statistics.hashes << " hashes, " << statistics.hashes_per_second << " H/s, " << blocks_
         << " blocks, " << statistics.threads << " threads of " << statistics.lanes << " lanes" << std::endl;
}

void WalletDaemon::next_template() {
    job_++;
    const BlockTemplate &block = templates_[job_ % templates_.size()];
    BLOCMINER_INIT(blocminer_job_t, job);
    job.job = job_;
    job.blob = block.blob.data();
    job.blob_bytes = block.blob.size();
    job.algorithm = block.algorithm.c_str();
    job.difficulty = block.difficulty;
    job.height = block.height;
    // From where the block was found in fact: the first hashes solve it.
    job.first_nonce = block.nonce;
    job.last_nonce = UINT32_MAX;
    miner_->set_job(job);
}

void WalletDaemon::submit(std::uint64_t job, std::uint32_t nonce) {
    if (!miner_ || job != job_) {
        late_++;
        return;
    }
    const BlockTemplate &block = templates_[job % templates_.size()];
    const std::vector<std::uint8_t> blob = block.blob_with(nonce);
    const blocminer_status_t verdict =
        blocminer_verify(block.algorithm.c_str(), blob.data(), blob.size(), block.height, block.difficulty, nullptr);
    require(verdict);
    blocks_++;
    out_ << "block " << block.height << " found, nonce " << nonce << std::endl;
    next_template();
}

void WalletDaemon::heard(void *daemon, const blocminer_event_t *event) {
    WalletDaemon *self = static_cast<WalletDaemon *>(daemon);
    if (event->type == BLOCMINER_EVENT_SHARE && event->outcome == BLOCMINER_SHARE_FOUND) {
        const std::uint64_t job = event->job;
        const std::uint32_t nonce = event->nonce;
        self->post([self, job, nonce] { self->submit(job, nonce); });
    } else if (event->type == BLOCMINER_EVENT_WARNING || event->status != BLOCMINER_OK) {
        const std::string text = event->text;
        self->post([self, text] { self->out_ << "warning: " << text << std::endl; });
    }
}
