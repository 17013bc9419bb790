import CryptoNight
import Dispatch
import MiningWork
import Testing

@testable import BlocMiner

@Suite(.timeLimit(.minutes(1))) struct WorkBoardTests {
    private let board = WorkBoard(form: WorkForm(threads: 1, lanes: 1, path: .portable))
    private let sleeper = DispatchSemaphore(value: 0)

    private func assignment(_ byte: UInt8 = 0) throws -> Assignment {
        Assignment(job: try job(of: quickVariant(), byte: byte), nonces: NonceCounter())
    }

    @Test func showsTheAssignmentAndEndsItsWatchWithTheNextOne() throws {
        let (first, second) = (try assignment(), try assignment(1))
        board.assign(first)
        let shown = try #require(board.next(for: 0, waitingOn: sleeper))
        #expect(shown.assignment === first && shown.watch.isCurrent)
        board.assign(second)
        #expect(!shown.watch.isCurrent)
        #expect(board.next(for: 0, waitingOn: sleeper)?.assignment === second)
    }

    @Test func wakesAWaitingWorkerWithWork() throws {
        let work = try assignment()
        let board = board
        DispatchQueue.global().async { board.assign(work) }
        #expect(board.next(for: 0, waitingOn: sleeper)?.assignment === work)
    }

    @Test func showsNothingWhileHeldOrUsedUp() throws {
        let (first, second) = (try assignment(), try assignment(1))
        let board = board
        board.assign(first)
        board.hold(true)
        DispatchQueue.global().async { board.hold(false) }
        #expect(board.next(for: 0, waitingOn: sleeper)?.assignment === first)
        let isFirst = first.exhaust()
        let isAgain = first.exhaust()
        #expect(isFirst && !isAgain)
        DispatchQueue.global().async { board.assign(second) }
        #expect(board.next(for: 0, waitingOn: sleeper)?.assignment === second)
    }

    @Test func letsWorkersGoWhenItCloses() throws {
        let board = board
        DispatchQueue.global().async { board.close() }
        #expect(board.next(for: 0, waitingOn: sleeper) == nil)
        board.assign(try assignment())
        #expect(board.next(for: 0, waitingOn: sleeper) == nil)
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

    @Test func changesTheFormWithoutEndingTheWatch() throws {
        let board = board
        board.assign(try assignment())
        let before = try #require(board.next(for: 0, waitingOn: sleeper))
        #expect(board.isCurrentForm(of: before))
        let wider = WorkForm(threads: 2, lanes: 3, path: .portable)
        board.use(wider)
        #expect(!board.isCurrentForm(of: before) && before.watch.isCurrent)
        #expect(board.next(for: 1, waitingOn: sleeper)?.form == wider)
    }

    @Test func letsWorkersBeyondTheFormWait() throws {
        let board = board
        board.assign(try assignment())
        DispatchQueue.global().async { board.use(WorkForm(threads: 2, lanes: 1, path: .portable), isSettled: true) }
        let task = try #require(board.next(for: 1, waitingOn: sleeper))
        #expect(task.form.threads == 2 && task.isSettled)
    }
}
