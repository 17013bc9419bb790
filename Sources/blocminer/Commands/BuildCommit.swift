import BlocMiner
import Glibc

/// The Git commit that this binary was built from, where the build said so.
///
/// The linker puts any bytes that it is told into a binary's build-id note. A build that wants its commit known passes
/// `-Xlinker --build-id=0x`, followed by `marker` in hex and the commit's name. The note is part of the binary and
/// can't speak of another one; a build that says nothing has no commit.
enum BuildCommit {
    /// The bytes "blocminer", which set such a note apart from the hash that linkers make by themselves.
    static let marker = Array("blocminer".utf8)

    /// The commit's name, 40 or 64 hex digits; nil where it isn't known.
    static let current: String? = ProgramFile(path: "/proc/self/exe")?.buildIdentifier.flatMap(commit(in:))

    /// The commit that a build-id names; nil where it is an ordinary one.
    static func commit(in identifier: [UInt8]) -> String? {
        let name = identifier.dropFirst(marker.count)
        guard identifier.starts(with: marker), name.count == 20 || name.count == 32 else { return nil }
        return Hex.encode(name)
    }
}

/// A program in a file: as much of the 64-bit ELF format, of this machine's byte order, as leads to the build-id.
struct ProgramFile: ~Copyable {
    // Places of fields in bytes, and sizes that no linker's notes come near to.
    private static let headerBytes = 64
    private static let segmentBytes = 56
    private static let mostSegments = 64
    private static let mostNoteBytes = 1 << 16
    private static let noteSegment: UInt64 = 4
    private static let buildIdentifierNote: UInt64 = 3

    private let descriptor: Int32

    /// Opens the file; nil where that fails.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// What the linker named the build with; nil without such a note.
    var buildIdentifier: [UInt8]? {
        guard let header = bytes(at: 0, count: Self.headerBytes), header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2])
        else {
            return nil
        }
        let table = Self.number(header, at: 32, bytes: 8)
        let count = min(Int(Self.number(header, at: 56, bytes: 2)), Self.mostSegments)
        for index in 0..<count {
            let place = table &+ UInt64(index * Self.segmentBytes)
            guard let segment = bytes(at: place, count: Self.segmentBytes) else { return nil }
            guard Self.number(segment, at: 0, bytes: 4) == Self.noteSegment else { continue }
            let size = min(Self.number(segment, at: 32, bytes: 8), UInt64(Self.mostNoteBytes))
            let notes = bytes(at: Self.number(segment, at: 8, bytes: 8), count: Int(size))
            if let identifier = notes.flatMap(Self.buildIdentifier(inNotes:)) { return identifier }
        }
        return nil
    }

    /// Looks through notes: three words (sizes of name and content, kind), then name and content, each filled up to
    /// four bytes.
    static func buildIdentifier(inNotes notes: [UInt8]) -> [UInt8]? {
        var offset = 0
        while offset + 12 <= notes.count {
            let (name, content) = (number(notes, at: offset, bytes: 4), number(notes, at: offset + 4, bytes: 4))
            let start = offset + 12 + (Int(name) + 3) / 4 * 4
            let end = start + Int(content)
            guard end <= notes.count else { return nil }
            let isGNU = notes[(offset + 12)...].starts(with: "GNU\0".utf8)
            if isGNU, number(notes, at: offset + 8, bytes: 4) == buildIdentifierNote {
                return Array(notes[start..<end])
            }
            offset = start + (Int(content) + 3) / 4 * 4
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], at offset: Int, bytes count: Int) -> UInt64 {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard let offset = Int(exactly: offset) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, offset) == count ? bytes : nil
    }
}
