#!/usr/bin/env python3
"""Mines for loopback pools that hash every share again, and fails on the first bad one.

A case is a row of MINING (the pool's and the miner's options, and for how long), of FAILOVERS (several pools, one of
which is killed) or of REFUSALS (what the command line must refuse, with which exit code and words). Those of LATER take
minutes and run by name only. `scripts/pool-check` builds both programs and calls this file.
"""
import argparse
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from validating_pool import Hasher

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent / 'Vectors' / 'cryptonight.json'
ADDRESS = 'abLoc5CBvaM6ZNHkLjJ3vhBvp25avqcKqDwyvRCgZvrRFZimGhhEouoAGKtvzgnbmtX8EKjHLrFXzgnmmVzqXBfbXi1y44GjXwE'
MISTYPED = ADDRESS[:40] + '0' + ADDRESS[41:]
GRACE_SECONDS = 2  # how long a miner that stops waits for the last verdicts
ANY_COIN = ('--user', 'x', '--coin', 'none')
SUCCESS, FAILURE, USAGE = 0, 1, 2


@dataclass(frozen=True)
class Mining:
    """One run against the pool.

    The first difficulty suits a slow machine; it doubles after every five shares, so that a fast one doesn't find more
    than the pool can hash again.
    """
    name: str
    algorithm: str
    difficulty: int
    seconds: int = 12
    pool: tuple = ()
    miner: tuple = ANY_COIN
    transport: str = ''  # a key of TRANSPORTS; default: plain TCP to the pool's port
    may_be_late: bool = False  # a new job ends the one before, so that shares may come too late


@dataclass(frozen=True)
class Failover:
    """Two pools, of which the better one is killed, and perhaps comes back."""
    name: str
    algorithms: tuple
    difficulties: tuple
    comes_back: bool = False
    seconds: int = 120  # at most


@dataclass(frozen=True)
class Refusal:
    """One command line that must end by itself, with this exit code and these words (a regular expression)."""
    name: str
    arguments: tuple
    exit_code: int
    words: str


MINING = [
    # A pool of this coin names no algorithm: the address alone tells it.
    Mining('bloc', 'cn-heavy/xhv', 8, 20, ('--profile', 'bloc'), ('--user', ADDRESS)),
    Mining('cn-0', 'cn/0', 10, 15),
    Mining('cn-r', 'cn/r', 2, 15),
    Mining('cn-lite-1', 'cn-lite/1', 30),
    Mining('cn-pico', 'cn-pico', 200),
    Mining('nicehash', 'cn-pico', 200, pool=('--nicehash',)),
    Mining('xmrig-proxy', 'cn-pico', 200, pool=('--profile', 'xmrig-proxy', '--nicehash', '--job-ids', 'hex')),
    Mining('eight-byte-target', 'cn-lite/1', 30, pool=('--target-bytes', '8')),
    Mining('dirty-nonce', 'cn-pico', 200, pool=('--dirty-nonce',)),
    Mining('tls', 'cn-pico', 200, pool=('--tls',), transport='pinned'),
    Mining('tls-authority', 'cn-pico', 200, pool=('--tls',), transport='authority'),
    Mining('proxy', 'cn-pico', 200, pool=('--tls',), transport='proxy'),
    Mining('expiring-jobs', 'cn-pico', 200, pool=('--fault', 'expire'), may_be_late=True),
]

# Scratchpads of all sizes in turn: from 128 KiB to 4 MiB.
CYCLE = 'cn/upx2,cn-heavy/xhv,cn-pico,cn/r,cn-lite/1'

SWITCHING = [
    Mining('algorithm-cycle', 'cn/upx2', 60, 30, pool=('--fault', f'algo-cycle={CYCLE}', '--retarget', '0', '--job-interval', '2'),
           may_be_late=True),
]

FAILOVERS = [
    Failover('failover', ('cn-pico', 'cn-pico'), (200, 200)),
    Failover('failover-algorithm', ('cn-lite/1', 'cn-pico'), (30, 200)),
]

LATER = [
    Failover('return', ('cn-pico', 'cn-pico'), (200, 200), comes_back=True, seconds=200),
]

REFUSALS = [
    Refusal('unknown-algorithm', (*ANY_COIN, '--algo', 'nosuch'), USAGE, 'nosuch'),
    Refusal('mistyped-address', ('--user', MISTYPED), USAGE, "41.*'0'"),
    Refusal('pool-without-user', (*ANY_COIN, '--pool', '127.0.0.1:9'), USAGE, 'a user is needed.*127.0.0.1:9'),
    Refusal('no-pool', (*ANY_COIN, '--algo', 'cn-pico', '--duration', '3'), FAILURE, 'no login to 127'),
]


class Failed(Exception):
    """What a case found wrong."""


def require(claim, complaint):
    if not claim:
        raise Failed(complaint)


class Pool:
    """The validating pool as a child process; it ends with the `with` block."""

    def __init__(self, case, arguments, port=0):
        self.log = Path(arguments.work) / f'{case.name}.log'
        self.log.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [sys.executable, HERE / 'validating_pool.py', '--port', str(port), '--algo', case.algorithm, '--diff', str(case.difficulty),
             '--job-interval', '5', '--retarget', '5', '--lib', arguments.verifier, '--log', self.log, '--seed', '1',
             '--seconds', str(case.seconds + 90), '--cert', arguments.certificate, '--key', arguments.key, *case.pool],
            stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def answer(self, word):
        """The object on the next line, which starts with `word`."""
        line = self.process.stdout.readline()
        require(line.startswith(word + ' '), f'the pool said {line!r} where {word} was due')
        return json.loads(line[len(word):])

    def port(self):
        ready = self.answer('READY')
        require(ready['verifying'], "the pool doesn't check hashes")
        return ready['stratum']

    def address(self):
        return f'stratum+tcp://127.0.0.1:{self.port()}'

    def kill(self):
        self.process.kill()
        self.process.wait()

    def events(self, name):
        """What the log says of one kind of event."""
        return [event for event in map(json.loads, self.log.read_text().splitlines()) if event['event'] == name]

    def end(self):
        """Asks the pool to end once it has judged everything; its summary and exit code."""
        for _ in range(150):
            if 'disconnected' in self.log.read_text():
                break
            time.sleep(0.1)
        self.process.send_signal(signal.SIGTERM)
        return self.answer('SUMMARY'), self.process.wait(timeout=30)


@contextmanager
def plain(port, arguments):
    yield f'stratum+tcp://127.0.0.1:{port}', ()


@contextmanager
def pinned(port, arguments):
    """TLS with a certificate that nobody signed. The miner itself has to say how to pin it."""
    pool = f'stratum+ssl://127.0.0.1:{port}'
    told = run_miner(arguments, pool, (*ANY_COIN, '--algo', 'cn-pico', '--duration', '3'), 3)
    advice = re.search(r'self-signed; .*(--tls-fingerprint) ([0-9a-f]{64})\b', told.stdout)
    require(told.returncode == FAILURE and advice, f'no advice about the certificate: {told.stdout[-600:]}')
    yield pool, advice.groups()


@contextmanager
def authority(port, arguments):
    """TLS with the pool's certificate in a file of trusted ones."""
    yield f'stratum+ssl://localhost:{port}', ('--tls-ca', arguments.certificate)


@contextmanager
def proxy(port, arguments):
    """TLS inside of a proxy, which alone can look the pool's name up."""
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        own = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, HERE / 'socks5_loopback.py', str(own)], stdout=subprocess.DEVNULL)
    try:
        wait_for(own)
        yield f'pool.invalid:{port}', ('--tls-insecure', '--proxy', f'socks5://127.0.0.1:{own}')
    finally:
        server.kill()
        server.wait()


# How the miner gets to a pool's port: each gives the pool's address and further options, as long as it is needed.
TRANSPORTS = {'': plain, 'pinned': pinned, 'authority': authority, 'proxy': proxy}


def wait_for(port):
    """Returns once something listens on `port`."""
    for _ in range(100):
        try:
            return socket.create_connection(('127.0.0.1', port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
    raise Failed(f'nothing listens on port {port}')


def make_certificate(arguments):
    """A certificate for localhost that lasts a day, and its key."""
    arguments.certificate, arguments.key = arguments.work / 'certificate.pem', arguments.work / 'key.pem'
    made = subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost',
         '-addext', 'subjectAltName=DNS:localhost', '-keyout', arguments.key, '-out', arguments.certificate],
        capture_output=True, text=True)
    require(made.returncode == SUCCESS, f'openssl made no certificate: {made.stderr[-600:]}')
    return arguments.certificate.name


def run_miner(arguments, pool, options, seconds):
    """`blocminer mine` as a finished process, its output kept."""
    command = [arguments.blocminer, 'mine', '--pool', pool, '--no-color', *options]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    except subprocess.TimeoutExpired:
        raise Failed(f'the miner did not end within {seconds + 60} s') from None


class Watched:
    """A running `blocminer mine` whose lines are kept with the times at which they came, and whose memory is looked at."""

    def __init__(self, arguments, options):
        command = [arguments.blocminer, 'mine', '--no-color', '--cpu-priority', '1', *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines, self.most_kilobytes = [], 0
        self.change = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.change:
                self.lines.append((time.monotonic(), line.rstrip()))
                self.most_kilobytes = max(self.most_kilobytes, self.kilobytes())
                self.change.notify_all()

    def kilobytes(self):
        try:
            status = Path(f'/proc/{self.process.pid}/status').read_text()
        except OSError:
            return 0
        found = re.search(r'^VmRSS:\s+(\d+)', status, re.M)
        return int(found[1]) if found else 0

    def wait_for(self, words, seconds, since=0):
        """The time and the number of the first line from `since` on that holds the words (a regular expression)."""
        limit = time.monotonic() + seconds
        with self.change:
            while True:
                for number, (moment, line) in enumerate(self.lines[since:], since):
                    if re.search(words, line):
                        return moment, number
                left = limit - time.monotonic()
                require(left > 0, f'no {words!r} within {seconds} s: {self.lines[-5:]}')
                self.change.wait(left)

    def between(self, first, last, words):
        return [line for _, line in self.lines[first:last] if re.search(words, line)]

    def end(self):
        """Stops it; the finished process."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=30)
        self.reader.join()
        output = '\n'.join(line for _, line in self.lines)
        return subprocess.CompletedProcess([], code, output, self.process.stderr.read())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.reader.join()


def summary_of(run):
    require(run.returncode == SUCCESS, f'the miner ended with {run.returncode}: {run.stderr[-600:]}')
    try:
        return json.loads(run.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise Failed(f'the miner printed no summary: {run.stdout[-300:]!r}') from None


def check_mining(case, arguments):
    with Pool(case, arguments) as pool:
        # Below the pool's priority, or its verdicts would be late on a busy machine.
        options = ('--duration', str(case.seconds), '--summary', 'json', '--cpu-priority', '1', *case.miner)
        with TRANSPORTS[case.transport](pool.port(), arguments) as (address, ways):
            start = time.monotonic()
            mined = summary_of(run_miner(arguments, address, (*options, *ways), case.seconds))
            waited_in_vain = time.monotonic() - start >= case.seconds + GRACE_SECONDS
        judged, pool_exit = pool.end()
    check_judgement(case, judged, pool_exit)
    check_counts(mined['shares'], judged, waited_in_vain)
    return f"{judged['accepted']} shares accepted, {judged['stale']} late, {mined['hashesPerSecond']:.0f} H/s"


def check_judgement(case, judged, pool_exit):
    """What the pool found."""
    late = judged['stale']
    require(judged['invalid'] == 0, f"the pool refused shares: {judged['invalid_by_reason']}")
    require(judged['malformed'] == 0, 'the pool met lines that it could not read')
    require(judged['accepted'] > 0, 'no share was accepted')
    require(late == 0 or case.may_be_late, f'{late} shares came too late')
    require(judged['submits'] == judged['accepted'] + late, f'the pool judged not all shares: {judged}')
    require(pool_exit == SUCCESS, f'the pool ended with {pool_exit}')


def check_counts(shares, judged, waited_in_vain):
    """What the miner counted, against the pool's own figures."""
    unanswered = judged['accepted'] - shares['accepted']
    require(unanswered == 0 or unanswered > 0 and waited_in_vain,
            f"the pool accepted {judged['accepted']} shares, the miner counts {shares}")
    require(shares['invalid'] == 0, f"{shares['invalid']} shares failed the miner's own check")
    require(shares['rejected'] == 0, f"{shares['rejected']} shares were rejected, says the miner")
    require(shares['stale'] >= judged['stale'] or waited_in_vain,
            f"{judged['stale']} shares came too late, the miner counts {shares['stale']}")


def check_switching(case, arguments):
    """Every job has another algorithm: no wrong share, and the memory of no earlier one is kept."""
    with Pool(case, arguments) as pool:
        options = ('--threads', '1', '--lanes', '2', '--summary', 'json', '--pool', pool.address(), *case.miner)
        with Watched(arguments, options) as miner:
            _, line = miner.wait_for('hashing cn-heavy/xhv', 60)
            miner.wait_for('hashing cn-heavy/xhv', 60, line + 1)
            first = miner.most_kilobytes
            time.sleep(case.seconds)
            last, run = miner.most_kilobytes, miner.end()
        shares = summary_of(run)['shares']
        judged, pool_exit = pool.end()
    check_judgement(case, judged, pool_exit)
    check_counts(shares, judged, True)
    switches = run.stdout.count(': 1 thread × 2 lanes')
    require(switches >= 10, f'only {switches} changes of algorithm')
    require(last < first + 16 * 1024, f'from {first} kB the memory in use grew to {last} kB')
    return f"{switches} changes, {judged['accepted']} shares accepted, {last} kB at most"


def check_failover(case, arguments):
    """The better pool dies: shares go to the other one within two seconds, and back a minute after it has come back."""
    places = [Mining(f'{case.name}-{number}', algorithm, difficulty, case.seconds)
              for number, (algorithm, difficulty) in enumerate(zip(case.algorithms, case.difficulties), 1)]
    with Pool(places[0], arguments) as best, Pool(places[1], arguments) as backup:
        addresses = [pool.address().removeprefix('stratum+tcp://') for pool in (best, backup)]
        options = ('--user', 'x', '--coin', 'none', '--pool', addresses[0], '--pool', addresses[1], '--summary', 'json', '--threads', '1',
                   '--lanes', '2')
        with Watched(arguments, options) as miner:
            _, line = miner.wait_for('mining for ' + addresses[0], 20)
            miner.wait_for('accepted after', 30, line)
            before = len(best.events('accepted'))
            killed = time.monotonic()
            best.kill()
            moment, line = miner.wait_for('mining for ' + addresses[1], 5)
            moment, line = miner.wait_for('new job', 5, line)
            require(moment - killed < 2, f'{moment - killed:.1f} s until the next pool was mined for')
            miner.wait_for('accepted after', 30, line)
            told = f'{before} shares, then the next pool within {moment - killed:.2f} s'
            if case.comes_back:
                told += check_return(places[0], addresses, miner, arguments)
            run = miner.end()
        summary = summary_of(run)
        judged, pool_exit = backup.end()
    check_judgement(places[1], judged, pool_exit)
    require(summary['shares']['rejected'] == 0 and summary['shares']['invalid'] == 0, f"the miner counts {summary['shares']}")
    return told


def check_return(place, addresses, miner, arguments):
    since = len(miner.lines)
    with Pool(place, arguments, port=addresses[0].rpartition(':')[2]) as best:
        best.address()
        login, line = miner.wait_for('logged in to ' + addresses[0], 80, since)
        moment, back = miner.wait_for('mining for ' + addresses[0], 80, line)
        require(moment - login > 58, f'back after {moment - login:.0f} s only')
        require(not miner.between(line, back, 'paused'), 'there was a gap')
        miner.wait_for('accepted after', 30, back)
        require(not best.events('rejected'), 'the better pool refused shares')
        require(miner.process.poll() is None, 'the miner has ended')
    return f', back after {moment - login:.0f} s'


def check_refusal(case, arguments):
    # Bound but not listening: a port that refuses connections and that nobody else can take meanwhile.
    with socket.socket() as closed:
        closed.bind(('127.0.0.1', 0))
        pool = f'stratum+tcp://127.0.0.1:{closed.getsockname()[1]}'
        run = run_miner(arguments, pool, case.arguments, 10)
    require(run.returncode == case.exit_code, f'exit code {run.returncode}, not {case.exit_code}: {run.stderr[-600:]}')
    require(re.search(case.words, run.stderr), f'no {case.words!r} in: {run.stderr[-600:]}')
    return f'exit code {run.returncode}'


def check_verifier(arguments):
    """The judge is judged first, by one known answer of each algorithm."""
    hasher = Hasher(arguments.verifier)
    require(hasher.canonical('CN-Heavy') == 'cn-heavy/0' and hasher.canonical('nosuch') is None, 'the verifier mistakes names')
    known = {vector['algo']: vector for vector in reversed(json.loads(VECTORS.read_text()))}
    for name, vector in known.items():
        digest = hasher._hash(name, bytes.fromhex(vector['input']), vector.get('height', 0))
        require(digest is not None and digest.hex() == vector['hash'], f'the verifier hashes {name} wrongly')
    return f'{len(known)} algorithms'


def run_check(name, check, *details):
    """Runs one check and tells how it ended; whether it passed."""
    start = time.monotonic()
    try:
        told, passed = check(*details), True
    except Failed as failure:
        told, passed = failure, False
    print(f"{'ok  ' if passed else 'FAIL'} {name:18} {time.monotonic() - start:5.1f} s  {told}", flush=True)
    return passed


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--blocminer', required=True, help='the program')
    parser.add_argument('--verifier', required=True, help='the hash library')
    parser.add_argument('--list', action='store_true', help='name the cases')
    parser.add_argument('cases', nargs='*', help='names of cases; default: all')
    arguments = parser.parse_args()
    arguments.work = Path(arguments.verifier).resolve().parent
    return arguments


def main():
    arguments = parse_arguments()
    usual = ((REFUSALS, check_refusal), (MINING, check_mining), (SWITCHING, check_switching), (FAILOVERS, check_failover))
    checks = {case.name: (check, case) for table, check in (*usual, (LATER, check_failover)) for case in table}
    if arguments.list:
        print(*checks, sep='\n')
        return 0
    unknown = [name for name in arguments.cases if name not in checks]
    if unknown:
        print(f"pool-check: no case named {unknown[0]!r}: see --list", file=sys.stderr)
        return USAGE
    if not run_check('verifier', check_verifier, arguments) or not run_check('certificate', make_certificate, arguments):
        return FAILURE
    for name in arguments.cases or [case.name for table, _ in usual for case in table]:
        check, case = checks[name]
        if not run_check(name, check, case, arguments):
            print(f'pool-check: {name} failed; what the pool saw is in {arguments.work}/{name}.log', file=sys.stderr)
            return FAILURE
    return 0


if __name__ == '__main__':
    sys.exit(main())
