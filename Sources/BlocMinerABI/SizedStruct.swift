internal import CBlocMiner
internal import Glibc

/// A struct of the C interface: its first member tells how large the caller knows it to be.
protocol SizedStruct {
    init()
    /// In messages.
    static var structName: String { get }
    /// The end of the last member without which it makes no sense.
    static var leastSize: Int { get }
}

extension SizedStruct {
    private static var largestSize: Int { 1 << 16 }
    private static var mostStructs: Int { 64 }

    /// The struct at `pointer`. What the caller doesn't know of it is zero; what we don't know has to be.
    static func read(_ pointer: UnsafePointer<Self>?) throws(ABIError) -> Self {
        guard let pointer else { throw .null(structName) }
        let size = try checkedSize(at: pointer)
        let bytes = UnsafeRawBufferPointer(start: pointer, count: size)
        guard bytes.dropFirst(MemoryLayout<Self>.size).allSatisfy({ $0 == 0 }) else {
            throw ABIError(
                BLOCMINER_INVALID_SIZE,
                "\(structName) has members that this version of the library doesn't know"
            )
        }
        var value = Self()
        withUnsafeMutableBytes(of: &value) { $0.copyMemory(from: .init(rebasing: bytes.prefix($0.count))) }
        return value
    }

    /// `count` structs one after the other, all of the size of the first.
    static func read(_ pointer: UnsafePointer<Self>?, count: Int) throws(ABIError) -> [Self] {
        guard let pointer else { throw .null(structName) }
        guard (1...mostStructs).contains(count) else {
            throw .invalidArgument("\(count) times \(structName); 1 to \(mostStructs) are possible")
        }
        let size = try checkedSize(at: pointer)
        var values: [Self] = []
        for number in 0..<count {
            let place = (UnsafeRawPointer(pointer) + number * size).assumingMemoryBound(to: Self.self)
            guard try checkedSize(at: place) == size else {
                throw ABIError(BLOCMINER_INVALID_SIZE, "\(structName) number \(number) has another size than the first")
            }
            values.append(try read(place))
        }
        return values
    }

    /// Puts the struct where the caller wants it, as much of it as the caller knows.
    func write(to pointer: UnsafeMutablePointer<Self>?) throws(ABIError) {
        guard let pointer else { throw .null(Self.structName) }
        let size = try Self.checkedSize(at: pointer)
        let header = MemoryLayout<Int>.size
        let target = UnsafeMutableRawBufferPointer(start: pointer, count: size)
        withUnsafeBytes(of: self) { bytes in
            for index in header..<size { target[index] = index < bytes.count ? bytes[index] : 0 }
        }
    }

    private static func checkedSize(at pointer: UnsafePointer<Self>) throws(ABIError) -> Int {
        let size = UnsafeRawPointer(pointer).load(as: Int.self)
        guard (leastSize...largestSize).contains(size) else {
            throw ABIError(BLOCMINER_INVALID_SIZE, "\(structName).size is \(size); set it to sizeof(\(structName))")
        }
        return size
    }
}

private func end<Whole, Member>(of member: KeyPath<Whole, Member>) -> Int {
    (MemoryLayout<Whole>.offset(of: member) ?? MemoryLayout<Whole>.size) + MemoryLayout<Member>.size
}

extension blocminer_options_t: SizedStruct {
    static var structName: String { "blocminer_options_t" }
    static var leastSize: Int { end(of: \Self.pool_count) }
}

extension blocminer_pool_t: SizedStruct {
    static var structName: String { "blocminer_pool_t" }
    static var leastSize: Int { end(of: \Self.user) }
}

extension blocminer_job_t: SizedStruct {
    static var structName: String { "blocminer_job_t" }
    static var leastSize: Int { end(of: \Self.difficulty) }
}

extension blocminer_statistics_t: SizedStruct {
    static var structName: String { "blocminer_statistics_t" }
    static var leastSize: Int { end(of: \Self.hashes) }
}

extension blocminer_algorithm_t: SizedStruct {
    static var structName: String { "blocminer_algorithm_t" }
    static var leastSize: Int { end(of: \Self.name) }
}
