// What is asked of the library, one check each. A check throws where the library falls short.
#pragma once

#include "templates.hpp"

#include <vector>

// Hashes every block of the file and verifies it.
void check_hashing(const std::vector<BlockTemplate> &templates);

// 200 miners begin and end, in every stage of their lives; threads and memory stay.
void check_cycles(const std::vector<BlockTemplate> &templates);

// Two miners of different algorithms find shares side by side.
void check_two_instances(const std::vector<BlockTemplate> &templates);

// A stop amid batches of 24 lanes of cn-heavy returns within a second.
void check_stop_time(const std::vector<BlockTemplate> &templates);

// Callbacks call the library, and destroy lets none run on.
void check_callbacks(const std::vector<BlockTemplate> &templates);

// What children of a process that mines may and may not do.
void check_fork(const std::vector<BlockTemplate> &templates);

// Commands over an event loop, blocks found one after the other.
void check_daemon(const std::vector<BlockTemplate> &templates);
