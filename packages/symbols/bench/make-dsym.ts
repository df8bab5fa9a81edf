/**
 * Makes a large dSYM for arm64 with Debian's compilers: clang-16, lld-16, and dsymutil of llvm-19.
 *
 * Debian has no standard library for Apple's systems. So each unit is compiled for Linux to LLVM's intermediate
 * representation, whose target is then replaced by Apple's. A few units are compiled, and each object file is copied
 * many times with another number in its names. The number has the same length, so offsets stay valid, and the linker,
 * dsymutil and readers see different units.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeUnit } from './make-sources.ts'

const compiledUnits = [100, 101]
const copiesOfEach = 17
const typesPerUnit = 20

const retargeting: [pattern: RegExp, replacement: string][] = [
  [/^\$.* = comdat.*$/gm, ''],
  [/,? comdat(\(\$[^)]*\))?/g, ''],
  [/^target datalayout = .*/m, 'target datalayout = "e-m:o-i64:64-i128:128-n32:64-S128"'],
  [/^target triple = .*/m, 'target triple = "arm64-apple-ios15.0.0"'],
  [/"target-(cpu|features)"="[^"]*"|"tune-cpu"="[^"]*"/g, ''],
  [/dso_local /g, ''],
]

/**
 * Makes the files, or finds those of an earlier run. Making them takes some minutes. Returns the paths of the Mach-O
 * file in the dSYM and of the dSYM as a zip archive.
 */
export function makeDsym(folder: string): { dwarf: string; zip: string } {
  const bundle = 'Big.framework.dSYM'
  const dwarf = join(folder, bundle, 'Contents/Resources/DWARF/Big')
  const zip = join(folder, 'big.zip')
  if (existsSync(zip)) return { dwarf, zip }
  mkdirSync(folder, { recursive: true })
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, stdio: 'pipe' })
  const objects = compiledUnits.flatMap((unit, index) => compile(folder, unit, 200 + index * 100, run))
  const target = '-arch arm64 -platform_version ios 15.0 17.0 -dylib -undefined dynamic_lookup'.split(' ')
  run('ld64.lld-16', ...target, '-install_name', '@rpath/Big.framework/Big', ...objects, '-o', 'Big')
  run('/usr/lib/llvm-19/bin/dsymutil', 'Big', '-o', bundle)
  for (const object of [...objects, 'Big']) rmSync(join(folder, object))
  run('zip', '-q', '-r', '-6', 'big.zip', bundle)
  console.log(`made a dSYM of ${Math.round(statSync(dwarf).size / 1e6)} MB`)
  return { dwarf, zip }
}

/** Compiles a unit and copies its object under the numbers from `first` on. Returns the names of the objects. */
function compile(
  folder: string,
  unit: number,
  first: number,
  run: (command: string, ...args: string[]) => void,
): string[] {
  const source = `u${unit}.cpp`
  const code = `u${unit}.ll`
  writeFileSync(join(folder, source), writeUnit(unit, typesPerUnit))
  const language = '--target=x86_64-linux-gnu -std=c++17 -g -gdwarf-4 -O2'.split(' ')
  const output = '-fno-asynchronous-unwind-tables -fno-exceptions -S -emit-llvm'.split(' ')
  run('clang++-16', ...language, ...output, source, '-o', code)
  let text = readFileSync(join(folder, code), 'utf8')
  for (const [pattern, replacement] of retargeting) text = text.replace(pattern, replacement)
  writeFileSync(join(folder, code), text)
  run('clang-16', '--target=arm64-apple-ios15', '-O1', '-w', '-c', code, '-o', 'unit.o')
  const object = readFileSync(join(folder, 'unit.o')).toString('latin1')
  rmSync(join(folder, code))
  rmSync(join(folder, 'unit.o'))
  return Array.from({ length: copiesOfEach }, (_, copy) => {
    const number = first + copy
    const renamed = ['app', 'Item', 'u'].reduce(
      (all, word) => all.replaceAll(`${word}${unit}`, `${word}${number}`),
      object,
    )
    writeFileSync(join(folder, `u${number}.o`), renamed, 'latin1')
    return `u${number}.o`
  })
}
