import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOwnerFinder, parseCodeOwners } from './code-owners.ts'

const find = (content: string, ...files: string[]) =>
  Promise.all(files.map(createOwnerFinder(parseCodeOwners(content))))

describe('A CODEOWNERS file', () => {
  it('gives a file to the owners of the last pattern that matches', async () => {
    const content = '# everything\n*  @all\n/src/cart/ @shop/cart ada@example.com # the cart\n*.kt @android\n'
    assert.deepEqual(
      await find(content, 'README.md', 'src/cart/Total.swift', 'src/cart/Total.kt', './src/cart/a/b.c'),
      ['@all', '@shop/cart ada@example.com', '@android', '@shop/cart ada@example.com'],
    )
  })

  it('matches docs/* with the files of that folder only, and a folder with everything below it', async () => {
    const content = 'docs/* @docs\nlogs/ @logs\n'
    assert.deepEqual(await find(content, 'docs/a.md', 'docs/sub/b.md', 'app/logs/x', 'logs'), [
      '@docs',
      '',
      '@logs',
      '',
    ])
  })

  it('takes of an absolute path the part below the checkout, where patterns from its root fit', async () => {
    const content = '* @all\n/src/cart/ @cart\n/e2e @web\n'
    const files = ['/data/checkouts/shop/src/cart/a.test.js', 'D:\\a\\shop\\e2e\\b.ts', 'file:///srv/shop/lib/c.js']
    assert.deepEqual(await find(content, ...files), ['@cart', '@web', '@all'])
    assert.deepEqual(await find(content, 'data/src/cart/a.js'), ['@all'])
  })

  it('removes the owners of files that match a later pattern without owners, and reads escaped spaces', async () => {
    const content = '* @all\n/generated/\n/my\\ tests/ @qa\n'
    assert.deepEqual(await find(content, 'generated/a.ts', 'my tests/a.ts'), ['', '@qa'])
  })

  it('ignores sections and negations, and matches no path outside of the repository', async () => {
    const content = '[Section] @nobody\n^[Optional]\n!x @never\n* @all\n'
    assert.deepEqual(await find(content, 'x', '../../etc/passwd', '', '/absolute/x', 'C:\\ci\\x'), [
      '@all',
      '',
      '',
      '@all',
      '@all',
    ])
  })

  it('finds owners by patterns that take exponential time as regular expressions', async () => {
    const content = `${'*a'.repeat(400)}b @slow\n${'**/a/'.repeat(150)}b @slow\n`
    assert.deepEqual(await find(content, 'a'.repeat(1000), 'a/'.repeat(499), `x/${'a'.repeat(900)}b`), [
      '',
      '',
      '@slow',
    ])
  })

  it('leaves out patterns and paths of more than 1,000 characters', async () => {
    assert.deepEqual(await find(`* @all\n${'x'.repeat(1001)} @long\n`, 'x', 'x'.repeat(1001)), ['@all', ''])
  })
})
