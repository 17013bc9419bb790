import BlocMiner

/// Takes orders in any order and hashes those together that go together, so many at a time.
final class HashDesk {
    private let path: InstructionSet
    private let lanes: Int
    private var workspace: HashWorkspace?

    /// A desk that hashes `lanes` inputs in lock step.
    init(path: InstructionSet, lanes: Int) {
        self.path = path
        self.lanes = lanes
    }

    /// Hashes all `orders` and hands the results over in their order, each as soon as it and all before it are there.
    func work(
        through orders: [Result<HashOrder, HashOrderError>],
        deliver: (Result<Digest, HashOrderError>) throws(CommandError) -> Void
    ) throws(CommandError) {
        var results: [Result<Digest, HashOrderError>?] = orders.map { order in
            if case .failure(let error) = order { .failure(error) } else { nil }
        }
        var delivered = 0
        for batch in batches(of: orders) {
            for (index, result) in zip(batch, digests(of: batch.compactMap { try? orders[$0].get() })) {
                results[index] = result
            }
            while delivered < results.count, let result = results[delivered] {
                try deliver(result)
                delivered += 1
            }
        }
        for case let result? in results[delivered...] { try deliver(result) }
    }

    /// Positions of the orders that share a call of the kernels, in the order in which functions first appear.
    private func batches(of orders: [Result<HashOrder, HashOrderError>]) -> [[Int]] {
        var groups: [(function: HashFunction, positions: [Int])] = []
        var groupOf: [HashFunction: Int] = [:]
        for (position, order) in orders.enumerated() {
            guard case .success(let order) = order else { continue }
            if let group = groupOf[order.function] {
                groups[group].positions.append(position)
            } else {
                groupOf[order.function] = groups.count
                groups.append((order.function, [position]))
            }
        }
        return groups.flatMap { group in
            stride(from: 0, to: group.positions.count, by: lanes).map {
                Array(group.positions[$0..<min($0 + lanes, group.positions.count)])
            }
        }
    }

    /// The digests of at most `lanes` orders with the same function.
    private func digests(of orders: [HashOrder]) -> [Result<Digest, HashOrderError>] {
        guard let function = orders.first?.function else { return [] }
        do {
            try open(function.variant)
            let digests = try workspace?.hash(orders.map(\.input), height: function.height) ?? []
            return digests.map { .success($0) }
        } catch {
            return orders.map { _ in .failure(HashOrderError(reason: "\(error)")) }
        }
    }

    /// Makes the workspace one for `variant`. A single one is kept: scratchpads are large.
    private func open(_ variant: HashVariant) throws(ScratchpadError) {
        guard workspace?.kernel.variant != variant else { return }
        workspace = nil
        workspace = try HashWorkspace(HashKernel(variant: variant, path: path, lanes: lanes))
    }
}
