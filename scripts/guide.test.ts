import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** The parts of a repository that the example of the guide touches, and what they import. */
const copied = ['apps', 'packages', 'scripts', 'test', 'tsconfig.json', 'package.json']

/** The example's own test, and those that fail until they know a new endpoint, without the two that the guide words. */
const tests = [
  'apps/server/src/announcements/routes.test.ts',
  'apps/dashboard/test/describe-event.test.ts',
  'test/api-coverage.test.ts',
  'test/client/operations.test.ts',
]

describe('docs/adding-an-endpoint.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-guide-'))
  after(() => rmSync(folder, { recursive: true }))
  const blocks = listBlocks(readFileSync(join(root, 'docs/adding-an-endpoint.md'), 'utf8'))

  before(() => {
    const tracked = execFileSync('git', ['ls-files', '-z', ...copied], { cwd: root, encoding: 'utf8' })
    for (const path of tracked.split('\0').filter((one) => one !== '')) {
      cpSync(join(root, path), join(folder, path))
    }
    linkModules(folder)
    assert.ok(blocks.length > 15)
    for (const block of blocks) apply(folder, block)
  })

  it('has examples that compile in a copy of the repository', async () => {
    const added = blocks.map(({ path }) => path)
    const files = added.filter((path) => !path.includes('dashboard'))
    const projects = [
      { extends: './tsconfig.json', files, include: [] },
      { extends: './apps/dashboard/tsconfig.json', include: ['apps/dashboard/src'] },
    ]
    for (const project of projects) {
      writeFileSync(join(folder, 'tsconfig.guide.json'), JSON.stringify(project))
      const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['--project', 'tsconfig.guide.json'], {
        cwd: folder,
      }).catch((error: { stdout: string }) => error)
      assert.equal(stdout, '')
    }
  })

  it('has an endpoint that the tests know and whose imports keep to the layers', async () => {
    const env = { ...process.env }
    // The tests start the server of the copy.
    delete env['SERVER_OF_TESTS']
    // The runner sets it, and a runner inside would report to the outer one instead of failing.
    delete env['NODE_TEST_CONTEXT']
    const { stdout } = await run(process.execPath, ['--test', ...tests], { cwd: folder, env }).catch(
      (error: { stdout: string }) => error,
    )
    assert.match(stdout, /^ℹ fail 0$/m, stdout)
    await run(process.execPath, [join(folder, 'scripts/check-imports.ts')], { cwd: folder })
  })
})

/** Links the installed packages, those of single workspaces too, but our own ones to the copy. */
function linkModules(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@fairlead'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@fairlead' || name.startsWith('.')) continue
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const path of globSync('{apps,packages}/*/node_modules', { cwd: root })) {
    symlinkSync(join(root, path), join(folder, path))
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@fairlead', name))
  }
}

interface Block {
  language: string
  path: string
  text: string
}

function listBlocks(guide: string): Block[] {
  const found = guide.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)
  return [...found].map(([, language = '', path = '', text = '']) => ({ language, path, text }))
}

/** Writes a new file, or adds the lines of a diff below the lines that it shows above them. */
function apply(folder: string, { language, path, text }: Block): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  if (language !== 'diff') {
    writeFileSync(file, text, { flag: 'wx' })
    return
  }
  const lines = text.trimEnd().split('\n')
  const context = lines.filter((line) => !line.startsWith('+')).map((line) => `${line.slice(1)}\n`)
  const added = lines.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`)
  const source = readFileSync(file, 'utf8')
  const [before, below, ...others] = source.split(context.join(''))
  assert.ok(below !== undefined && others.length === 0, `${path} must have this once: ${context.join('')}`)
  writeFileSync(file, [before, context.join(''), added.join(''), below].join(''))
}
