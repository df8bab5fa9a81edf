/** Runs what failed again by the real Playwright and the real pytest, and compares what other runners are told. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk } from './fairlead.ts'

const root = join(import.meta.dirname, '../..')

describe('fairlead tests rerun', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
  })
  after(() => desk[Symbol.asyncDispose]())

  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(desk.folder, path)), { recursive: true })
    await writeFile(join(desk.folder, path), text)
  }
  const upload = async (path: string) => {
    const { run } = await desk.json<{ run: { id: number } }>('tests', 'upload', path, '--app', 'shop', '--complete')
    return String(run.id)
  }
  const run = (command: string, words: readonly string[]) => {
    // The runner of this test sets it, and a runner inside would report to the outer one.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    return spawnSync(command, words, { cwd: desk.folder, encoding: 'utf8', env })
  }
  const rerun = async (id: string, runner: string, ...words: string[]) => {
    const { code, stdout, stderr } = await desk.fairlead(['tests', 'rerun', id, '--runner', runner, ...words])
    assert.equal(code, 0, stderr)
    return stdout.split('\n').slice(0, -1)
  }
  /** The cases of a report with their outcome. */
  const uploadCases = async (cases: readonly string[], suite = 'unit') => {
    const failing = cases.map((attributes) => `<testcase ${attributes}><failure message="x"/></testcase>`)
    await put(
      'cases.xml',
      `<testsuite name="${suite}">${failing.join('')}<testcase name="ok" classname="a.B"/></testsuite>`,
    )
    return upload('cases.xml')
  }

  it('makes Playwright run the tests that failed and no other', async () => {
    await mkdir(join(desk.folder, 'node_modules/@playwright'), { recursive: true })
    await symlink(join(root, 'node_modules/@playwright/test'), join(desk.folder, 'node_modules/@playwright/test'))
    const test = `const { test, expect } = require('@playwright/test')
      test.describe('cart (new)', () => {
        test('adds $1', () => {})
        test('takes 1+1', { tag: '@fast' }, () => { expect(1).toBe(2) })
        test('takes 1', () => {})
      })
      test('empties [all]', () => { expect(1).toBe(2) })`
    await put('web/cart.spec.js', test)
    await put('web/menu.spec.js', test.replaceAll('toBe(2)', 'toBe(1)'))
    await put(
      'playwright.config.js',
      "module.exports = { testDir: 'web', reporter: [['junit', { outputFile: 'pw.xml' }]] }",
    )
    const program = join(root, 'node_modules/.bin/playwright')
    assert.equal(run(program, ['test']).status, 1)
    const words = await rerun(await upload('pw.xml'), 'playwright')
    assert.equal(words[0], 'cart.spec.js')
    const listed = run(program, ['test', '--reporter=list', ...words])
    assert.match(listed.stdout, /Running 2 tests/, listed.stdout + listed.stderr)
    assert.match(listed.stdout, /2 failed/)
  })

  it('makes pytest run the tests that failed and no other', { skip: findPytest() }, async () => {
    const lines = ['import pytest', "@pytest.mark.parametrize('n', [1, 2])", 'def test_sums(n):', '    assert n == 1']
    const group = [
      'class TestCart:',
      '    def test_adds(self):',
      '        assert 0',
      '    def test_sorts(self):',
      '        pass',
    ]
    await put('checks/shop/test_cart.py', [...lines, ...group, ''].join('\n'))
    const python = ['-m', 'pytest', '-p', 'no:cacheprovider', '-q']
    assert.equal(run('python3', [...python, '--junitxml=py.xml', 'checks']).status, 1)
    const words = await rerun(await upload('py.xml'), 'pytest')
    assert.deepEqual(words.toSorted(), [
      'checks/shop/test_cart.py::TestCart::test_adds',
      'checks/shop/test_cart.py::test_sums[2]',
    ])
    assert.match(run('python3', [...python, ...words]).stdout, /2 failed(?!.*passed)/)
  })

  it('writes filters of Gradle, without parameters, and for the class where a name is none of a method', async () => {
    const id = await uploadCases([
      'name="removes()" classname="shop.CartTest"',
      'name="adds(int)[1]" classname="shop.CartTest$Nested"',
      'name="adds(int)[2]" classname="shop.CartTest$Nested"',
      'name="keeps the order" classname="shop.CartTest"',
      'name="finds *" classname="shop.MenuTest"',
    ])
    assert.deepEqual((await rerun(id, 'gradle')).toSorted(), [
      '--tests=shop.CartTest$Nested.adds',
      '--tests=shop.CartTest.keeps the order',
      '--tests=shop.CartTest.removes',
      '--tests=shop.MenuTest.*',
    ])
    const { stdout } = await desk.fairlead(['tests', 'rerun', id, '--runner', 'gradle', '--print0', '--new'])
    assert.equal(stdout.split('\0').length, 5)
  })

  it('writes tests of xcodebuild, and names and files of Jest', async () => {
    const xcode = await uploadCases(['name="testRemoves()" classname="CartTests"'], 'ShopTests')
    assert.deepEqual(await rerun(xcode, 'xcodebuild'), ['-only-testing:ShopTests/CartTests/testRemoves'])
    const jest = await uploadCases([
      'name="adds (1)" classname="cart" file="src/cart.test.js"',
      'name="shows" classname="menu" file="src/menu.test.js"',
    ])
    assert.deepEqual(await rerun(jest, 'jest'), [
      '--runTestsByPath',
      'src/cart.test.js',
      'src/menu.test.js',
      String.raw`--testNamePattern=(?:adds \(1\)|shows)$`,
    ])
  })

  it('prints nothing if no test failed, and needs a runner that it knows', async () => {
    await put('good.xml', '<testsuite name="unit"><testcase name="ok" classname="a.B"/></testsuite>')
    const id = await upload('good.xml')
    assert.deepEqual(await rerun(id, 'gradle'), [])
    assert.equal((await desk.fairlead(['tests', 'rerun', id])).code, 2)
    assert.equal((await desk.fairlead(['tests', 'rerun', id, '--runner', 'maven'])).code, 2)
    assert.equal((await desk.fairlead(['tests', 'rerun', '999', '--runner', 'gradle'])).code, 5)
  })
})

function findPytest(): string | false {
  return spawnSync('python3', ['-m', 'pytest', '--version']).status === 0 ? false : 'pytest is not installed'
}
