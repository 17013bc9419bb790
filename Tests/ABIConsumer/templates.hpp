// Block templates, as a daemon's core would make them; here they come from a file of blocks that a BLOC daemon
// accepted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct BlockTemplate {
    unsigned version = 0;
    std::uint64_t height = 0;
    std::uint64_t difficulty = 0;
    std::string algorithm;
    // What made the block valid.
    std::uint32_t nonce = 0;
    std::vector<std::uint8_t> proof_of_work;
    // The hashing blob, its nonce zero.
    std::vector<std::uint8_t> blob;

    std::vector<std::uint8_t> blob_with(std::uint32_t number) const;
};

// The templates of a file. Throws std::runtime_error where it can't be read.
std::vector<BlockTemplate> read_templates(const std::string &path);
