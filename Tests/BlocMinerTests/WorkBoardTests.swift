import CryptoNight
import Dispatch
import MiningWork
import Testing

@testable import BlocMiner

@Suite(.timeLimit(.minutes(1))) struct WorkBoardTests {
    private let board = WorkBoard()
    private let sleeper = DispatchSemaphore(value: 0)

    private func assignment(_ byte: UInt8 = 0) throws -> Assignment {
        Assignment(job: try job(of: quickVariant(), byte: byte), nonces: NonceCounter())
    }

    @Test func showsTheAssignmentAndEndsItsWatchWithTheNextOne() throws {
        let (first, second) = (try assignment(), try assignment(1))
        board.assign(first)
        let (shown, watch) = try #require(board.next(waitingOn: sleeper))
        #expect(shown === first && watch.isCurrent)
        board.assign(second)
        #expect(!watch.isCurrent)
        #expect(board.next(waitingOn: sleeper)?.0 === second)
    }

    @Test func wakesAWaitingWorkerWithWork() throws {
        let work = try assignment()
        let board = board
        DispatchQueue.global().async { board.assign(work) }
        #expect(board.next(waitingOn: sleeper)?.0 === work)
    }

    @Test func showsNothingWhileHeldOrUsedUp() throws {
        let (first, second) = (try assignment(), try assignment(1))
        let board = board
        board.assign(first)
        board.hold(true)
        DispatchQueue.global().async { board.hold(false) }
        #expect(board.next(waitingOn: sleeper)?.0 === first)
        let isFirst = first.exhaust()
        let isAgain = first.exhaust()
        #expect(isFirst && !isAgain)
        DispatchQueue.global().async { board.assign(second) }
        #expect(board.next(waitingOn: sleeper)?.0 === second)
    }

    @Test func letsWorkersGoWhenItCloses() throws {
        let board = board
        DispatchQueue.global().async { board.close() }
        #expect(board.next(waitingOn: sleeper) == nil)
        board.assign(try assignment())
        #expect(board.next(waitingOn: sleeper) == nil)
        #expect(board.isClosed)
    }

    @Test func countsOnlyTheTimeWithWork() throws {
        #expect(board.hashingTime == .zero)
        board.assign(try assignment())
        board.assign(nil)
        let once = board.hashingTime
        #expect(once > .zero)
        #expect(board.hashingTime == once)
        board.hold(true)
        board.assign(try assignment())
        #expect(board.hashingTime == once)
    }
}
