/**
 * Measures time and memory for each hostile upload of a folder, each in its own process: `node
 * packages/symbols/bench/bad-input.ts <folder>`. The first line is a process that only loads this package, for
 * comparison.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SymbolsError } from '../src/index.ts'
import { readSymbols } from '../src/read-symbols.ts'

const [folder = '.', file] = process.argv.slice(2)

async function readOne(path: string): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'symbols-bad-'))
  const start = performance.now()
  let outcome = 'read'
  try {
    if (path !== '') await readSymbols(path, outDir)
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    outcome = error.code
  } finally {
    rmSync(outDir, { recursive: true })
  }
  const megabytes = process.resourceUsage().maxRSS / 1024
  return `${(performance.now() - start).toFixed(0)} ms\t${megabytes.toFixed(0)} MB\t${outcome}`
}

if (file !== undefined) console.log(await readOne(file === '-' ? '' : join(folder, file)))
else {
  const files = readdirSync(folder).filter((name) => /\.(bin|zip|class|txt)$/.test(name))
  for (const name of ['-', ...files.toSorted()]) {
    const answer = execFileSync(process.execPath, [import.meta.filename, folder, name], { encoding: 'utf8' })
    process.stdout.write(`${name}\t${answer}`)
  }
}
