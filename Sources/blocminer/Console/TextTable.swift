/// Rows of cells in columns as wide as their widest cell.
struct TextTable {
    /// Which side a column's cells are pushed to.
    enum Alignment {
        case left
        case right
    }

    private let alignments: [Alignment]
    private var rows: [[String]]

    /// A table with these headings.
    init(_ headings: [(String, Alignment)]) {
        rows = [headings.map(\.0)]
        alignments = headings.map(\.1)
    }

    /// Adds a row; one cell a heading.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The headings and the rows, a line each.
    var lines: [String] {
        let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { Self.padded(row[$0], to: widths[$0], alignments[$0]) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// `text` filled up with blanks to `width`.
    static func padded(_ text: String, to width: Int, _ alignment: Alignment) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return alignment == .left ? text + blanks : blanks + text
    }
}
