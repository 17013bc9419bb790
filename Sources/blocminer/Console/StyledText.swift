import BlocMiner

/// How a piece of text is to be taken.
enum TextStyle: Sendable, Hashable {
    case plain
    case good
    case bad
    case caution
    case faint
    case strong

    /// What follows the escape that turns the style on; nil for plain.
    fileprivate var escapeCode: String? {
        switch self {
        case .plain: nil
        case .good: "32"
        case .bad: "31"
        case .caution: "33"
        case .faint: "2"
        case .strong: "1"
        }
    }
}

/// A line whose pieces have styles: `"\("accepted", .good) after 43 ms"`.
struct StyledText: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The longest piece that is shown, in characters.
    static let longestPiece = 1000

    private(set) var pieces: [Piece] = []

    /// A run of characters of one style.
    struct Piece: Sendable, Hashable {
        let text: String
        let style: TextStyle
    }

    /// Collects the pieces of a literal.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { appendInterpolation(literal, .plain) }

        mutating func appendInterpolation(_ value: some CustomStringConvertible, _ style: TextStyle = .plain) {
            // Whatever a pool has a hand in could carry the terminal's control characters.
            let text = PeerText.printable(value.description, limit: longestPiece)
            if !text.isEmpty { pieces.append(Piece(text: text, style: style)) }
        }

        mutating func appendInterpolation(_ text: StyledText) { pieces += text.pieces }
    }

    init(stringLiteral text: String) { self.init(text) }

    init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    /// `text` in one style.
    init(_ text: String, _ style: TextStyle = .plain) { self = "\(text, style)" }

    /// The text without its styles.
    var plain: String { pieces.map(\.text).joined() }

    /// The text with its styles as a terminal shows them.
    var escaped: String {
        pieces.map { piece in
            piece.style.escapeCode.map { "\u{1B}[\($0)m\(piece.text)\u{1B}[0m" } ?? piece.text
        }.joined()
    }

    /// The first `width` characters.
    func cut(to width: Int) -> StyledText {
        var cut = self
        var room = max(0, width)
        cut.pieces = pieces.compactMap { piece in
            let text = String(piece.text.prefix(room))
            room -= text.count
            return text.isEmpty ? nil : Piece(text: text, style: piece.style)
        }
        return cut
    }
}
