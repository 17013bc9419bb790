#include "templates.hpp"

#include "blocminer.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace {

std::vector<std::uint8_t> bytes_of(const std::string &hex) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t index = 0; index + 1 < hex.size(); index += 2) {
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(index, 2), nullptr, 16)));
    }
    return bytes;
}

} // namespace

std::vector<std::uint8_t> BlockTemplate::blob_with(std::uint32_t number) const {
    std::vector<std::uint8_t> copy = blob;
    for (std::size_t index = 0; index < 4; index++) {
        copy.at(BLOCMINER_NONCE_OFFSET + index) = static_cast<std::uint8_t>(number >> (8 * index));
    }
    return copy;
}

std::vector<BlockTemplate> read_templates(const std::string &path) {
    std::ifstream file(path);
    std::vector<BlockTemplate> templates;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') {
            continue;
        }
        std::istringstream words(line);
        BlockTemplate block;
        std::string proof, blob;
        words >> block.version >> block.height >> block.difficulty >> block.algorithm >> block.nonce >> proof >> blob;
        block.proof_of_work = bytes_of(proof);
        block.blob = bytes_of(blob);
        if (!words || block.proof_of_work.size() != BLOCMINER_HASH_SIZE) {
            throw std::runtime_error("not a template: " + line);
        }
        templates.push_back(block);
    }
    if (templates.empty()) {
        throw std::runtime_error("no templates in " + path);
    }
    return templates;
}
