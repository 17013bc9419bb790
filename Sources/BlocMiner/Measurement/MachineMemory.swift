internal import CryptoNight

/// How much memory the system has left.
enum MachineMemory {
    /// Bytes that can be had without swapping; nil where the kernel doesn't tell.
    static var availableBytes: Int? { KernelFile.text("/proc/meminfo").flatMap(availableBytes(in:)) }

    /// The same, in the text of /proc/meminfo.
    static func availableBytes(in text: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemAvailable:") }) else { return nil }
        let kibibytes = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return kibibytes.flatMap { (0..<(1 << 50)).contains($0) ? $0 << 10 : nil }
    }
}
