/**
 * Makes a large ELF library for x86_64 with Debian's compilers: clang-19 and lld-19.
 *
 * A few units are compiled, and each object file is copied many times with another number in its names. The number has
 * the same length, so offsets stay valid, and the linker and readers see different units.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeUnit } from './make-sources.ts'

/** The numbers of the units that are compiled, and the first number of the copies of each. */
const units: [unit: number, firstCopy: number][] = [
  [100, 200],
  [101, 300],
]
const typesPerUnit = 20

/**
 * Makes the library, or finds that of an earlier run, and returns its path. `copies` of each unit make its size. Making
 * it takes about a minute.
 */
export function makeElf(folder: string, copies: number, flags: readonly string[] = []): string {
  const library = join(folder, 'libbig.so')
  if (existsSync(library)) return library
  mkdirSync(folder, { recursive: true })
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, stdio: 'pipe' })
  const objects: string[] = []
  for (const [unit, firstCopy] of units) {
    writeFileSync(join(folder, `u${unit}.cpp`), writeUnit(unit, typesPerUnit))
    run('clang++-19', '-std=c++17', '-g', '-O2', '-fPIC', ...flags, '-c', `u${unit}.cpp`, '-o', 'unit.o')
    const object = readFileSync(join(folder, 'unit.o')).toString('latin1')
    rmSync(join(folder, 'unit.o'))
    for (let number = firstCopy; number < firstCopy + copies; number++) {
      const renamed = ['app', 'Item', 'u'].reduce(
        (all, word) => all.replaceAll(`${word}${unit}`, `${word}${number}`),
        object,
      )
      writeFileSync(join(folder, `u${number}.o`), renamed, 'latin1')
      objects.push(`u${number}.o`)
    }
  }
  run('ld.lld-19', '-shared', '--build-id=sha1', ...objects, '-o', 'libbig.so')
  for (const object of objects) rmSync(join(folder, object))
  console.log(`made a library of ${Math.round(statSync(library).size / 1e6)} MB`)
  return library
}
