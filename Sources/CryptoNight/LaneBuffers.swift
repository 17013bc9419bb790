internal import CHashKernels
internal import MiningWork

/// Inputs, digests and the pointer tables of a workspace's lanes, in the shape that the kernels take.
final class LaneBuffers {
    private let lanes: Int
    private let scratchpads: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
    private let inputs: UnsafeMutablePointer<UnsafePointer<UInt8>?>
    private let inputBytes: UnsafeMutablePointer<Int>
    private let digests: UnsafeMutablePointer<LaneDigest>
    private var storage: [UnsafeMutableBufferPointer<UInt8>]

    /// 32 bytes, as C's `uint8_t[32]`.
    private typealias LaneDigest = (
        UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
        UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
    )

    init(scratchpads pads: borrowing Scratchpads) {
        lanes = pads.count
        scratchpads = .allocate(capacity: lanes)
        inputs = .allocate(capacity: lanes)
        inputBytes = .allocate(capacity: lanes)
        digests = .allocate(capacity: lanes)
        for lane in 0..<lanes { (scratchpads + lane).initialize(to: pads.scratchpad(lane)) }
        inputs.initialize(repeating: nil, count: lanes)
        inputBytes.initialize(repeating: 0, count: lanes)
        UnsafeMutableRawPointer(digests).initializeMemory(as: UInt8.self, repeating: 0, count: lanes * Digest.byteCount)
        storage = (0..<lanes).map { _ in .allocate(capacity: Job.blobByteRange.upperBound) }
    }

    deinit {
        scratchpads.deallocate()
        inputs.deallocate()
        inputBytes.deallocate()
        digests.deallocate()
        for buffer in storage { buffer.deallocate() }
    }

    /// Makes `input` the lane's input.
    func fill(_ lane: Int, with input: [UInt8]) {
        if storage[lane].count < input.count {
            storage[lane].deallocate()
            storage[lane] = .allocate(capacity: input.count)
        }
        _ = storage[lane].update(fromContentsOf: input)
        inputs[lane] = UnsafePointer(storage[lane].baseAddress)
        inputBytes[lane] = input.count
    }

    /// Makes `blob` with `nonce` in place the lane's input.
    func fill(_ lane: Int, with blob: [UInt8], nonce: Nonce) {
        fill(lane, with: blob)
        for index in 0..<Nonce.byteCount {
            storage[lane][Nonce.offset + index] = UInt8(truncatingIfNeeded: nonce.value >> UInt32(index * 8))
        }
    }

    /// The first `lanes` lanes as the kernels take them.
    func batch(lanes: Int) -> chk_batch {
        var batch = chk_batch()
        batch.lanes = lanes
        batch.inputs = UnsafePointer(inputs)
        batch.input_bytes = UnsafePointer(inputBytes)
        batch.scratchpads = UnsafePointer(scratchpads)
        batch.digests = digests
        return batch
    }

    /// The lane's digest after a hash.
    func digest(_ lane: Int) -> Digest {
        let words = UnsafeRawPointer(digests + lane)
        var digest = SIMD4<UInt64>()
        for index in 0..<4 {
            digest[index] = UInt64(littleEndian: words.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        return Digest(words: digest)
    }

    /// Bytes 24…31 of the lane's digest, which are compared with the target.
    func mostSignificantWord(_ lane: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(digests + lane).loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }

    /// Length of the shortest input in the first `lanes` lanes.
    func shortestInput(lanes: Int) -> Int { (0..<lanes).map { inputBytes[$0] }.min() ?? 0 }
}
