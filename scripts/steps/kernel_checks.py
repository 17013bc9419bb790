"""Builds the programs of Tests/KernelChecks with the toolchain's clang and runs them; the steps about kernels share it."""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CLANG = Path(os.environ['toolchain']) / 'clang'
KERNELS, CHECKS, VECTORS = Path('CHashKernels'), Path('Tests/KernelChecks'), Path('Tests/Vectors')
WORK = Path('.build/kernel-checks')
INCLUDES = [f'-I{folder}' for folder in (KERNELS / 'include', KERNELS / 'finals', KERNELS / 'random_math')]
WARNINGS = ['-std=gnu17', '-Wall', '-Wextra', '-Werror']
# Each program, and the arguments of its runs that concern no path.
PROGRAMS = {
    'finals': [[name, VECTORS / f'monero-{file}.txt'] for name, file in (
        ('keccak256', 'fast'), ('blake256', 'extra-blake'), ('groestl256', 'extra-groestl'),
        ('jh256', 'extra-jh'), ('skein256', 'extra-skein'))],
    'programs': [[VECTORS / 'programs.json']],
    'native': [['agree'], ['pages'], ['hardened'], ['refused']],
    'ceiling': [[]],
    'hashes': [['arguments'], ['edges']],
}
# What is linked into a program that the step armv8 makes besides.
WITHOUT_AES = CHECKS / 'without_aes.c'


def run(command, lines='', expected=0):
    """Runs one command and returns what it said; ends everything, saying it too, when its exit code is another."""
    words = [str(word) for word in command]
    done = subprocess.run(words, input=lines, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != expected:
        print(f"{' '.join(words)}\nended with {done.returncode}:\n{done.stdout[-4000:]}", file=sys.stderr, flush=True)
        os._exit(1)
    return done.stdout


def run_all(commands, lines=''):
    """Runs commands, as many at a time as there are cores, and shows what they say."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for told in pool.map(lambda command: run(command, lines), commands):
            print(told, end='', flush=True)


def vectors():
    """Every hash vector."""
    return json.loads((VECTORS / 'cryptonight.json').read_text())


def lines_of(chosen):
    """Hash vectors as lines VARIANT HEIGHT INPUT DIGEST."""
    return ''.join(f"{v['algo']} {v.get('height', 0)} {v['input']} {v['hash']}\n" for v in chosen)


class Programs:
    """The checks' programs, built with the kernels in one way. `runner` is what runs them, such as an emulator."""

    def __init__(self, name, flags, runner=()):
        strangers = {path.stem for path in CHECKS.iterdir()} - set(PROGRAMS) - {WITHOUT_AES.stem}
        if strangers:
            sys.exit(f"{CHECKS} holds what nothing here runs: {', '.join(sorted(strangers))}")
        self.folder, self.runner = WORK / name, list(runner)
        self.compiler = [CLANG, *WARNINGS, *flags, *INCLUDES]
        self.folder.mkdir(parents=True, exist_ok=True)
        self.objects = self._compiled()
        run_all([self.linking(name, name) for name in PROGRAMS])

    def _compiled(self):
        sources = sorted(KERNELS.rglob('*.c'))
        objects = [self.folder / (str(source).replace('/', '-') + '.o') for source in sources]
        run_all([[*self.compiler, '-c', source, '-o', target] for source, target in zip(sources, objects)])
        return objects

    def linking(self, target, program, *more):
        """The command that makes `target` from the sources of `program`, the kernels, and `more`."""
        own = sorted((CHECKS / program).glob('*.c')) or [CHECKS / f'{program}.c']
        return [*self.compiler, *own, *more, *self.objects, '-fuse-ld=lld', '-lpthread', '-o', self.folder / target]

    def command(self, program, *arguments):
        """The command that runs a program."""
        return [*self.runner, self.folder / program, *arguments]

    def commands(self):
        """All runs that concern no path."""
        return [self.command(name, *arguments) for name, runs in PROGRAMS.items() for arguments in runs]

    def usable_paths(self):
        """The names of the paths that can be run, by the program's own account; tells of the others."""
        paths = run(self.command('hashes', 'paths')).split()
        table = (KERNELS / 'isas.def').read_text()
        for name in re.findall(r'^CHK_PATH\(\w+, "([^"]+)"', table, re.MULTILINE):
            if name not in paths:
                print(f'skipped: path {name}, which this machine lacks')
        return paths
