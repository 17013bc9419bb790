internal import CHashKernels
internal import MiningWork

/// Inputs, digests, the pointer tables and the flight of a workspace's lanes, in the shape that the kernels take.
final class LaneBuffers {
    /// What the kernels keep of hashes in flight.
    let flight: OpaquePointer
    /// Where they write digests.
    let digests: UnsafeMutablePointer<LaneDigest>
    private let lanes: Int
    private let scratchpads: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
    private let inputs: UnsafeMutablePointer<UnsafePointer<UInt8>?>
    private let inputBytes: UnsafeMutablePointer<Int>
    private var storage: [UnsafeMutableBufferPointer<UInt8>]

    /// 32 bytes, as C's `uint8_t[32]`.
    typealias LaneDigest = (
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
        let room = UnsafeMutableRawPointer.allocate(
            byteCount: chk_flight_bytes(),
            alignment: Int(CHK_FLIGHT_ALIGNMENT)
        )
        flight = OpaquePointer(room.initializeMemory(as: UInt8.self, repeating: 0, count: chk_flight_bytes()))
        storage = (0..<lanes).map { _ in .allocate(capacity: Job.blobByteRange.upperBound) }
    }

    deinit {
        scratchpads.deallocate()
        inputs.deallocate()
        inputBytes.deallocate()
        digests.deallocate()
        UnsafeMutableRawPointer(flight).deallocate()
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

    /// The lanes of `flight` as the kernels take them.
    func batch(of flight: Flight, watching watch: WorkWatch?) -> chk_batch {
        var batch = chk_batch()
        batch.lanes = flight.lanes
        batch.inputs = UnsafePointer(inputs)
        batch.input_bytes = UnsafePointer(inputBytes)
        batch.scratchpads = UnsafePointer(scratchpads)
        batch.program = flight.program.map { UnsafePointer($0.instructions) }
        batch.code = flight.program?.code
        batch.watch = watch.kernelWatch
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

    /// Length of the shortest input in the first `lanes` lanes.
    func shortestInput(lanes: Int) -> Int { (0..<lanes).map { inputBytes[$0] }.min() ?? 0 }
}
