import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOwnerFinder, parseCodeOwners } from './code-owners.ts'

const find = (content: string, ...files: string[]) => files.map(createOwnerFinder(parseCodeOwners(content)))

describe('A CODEOWNERS file', () => {
  it('gives a file to the owners of the last pattern that matches', () => {
    const content = '# everything\n*  @all\n/src/cart/ @shop/cart ada@example.com # the cart\n*.kt @android\n'
    assert.deepEqual(find(content, 'README.md', 'src/cart/Total.swift', 'src/cart/Total.kt', './src/cart/a/b.c'), [
      '@all',
      '@shop/cart ada@example.com',
      '@android',
      '@shop/cart ada@example.com',
    ])
  })

  it('matches docs/* with the files of that folder only, and a folder with everything below it', () => {
    const content = 'docs/* @docs\nlogs/ @logs\n'
    assert.deepEqual(find(content, 'docs/a.md', 'docs/sub/b.md', 'app/logs/x', 'logs'), ['@docs', '', '@logs', ''])
  })

  it('removes the owners of files that match a later pattern without owners, and reads escaped spaces', () => {
    const content = '* @all\n/generated/\n/my\\ tests/ @qa\n'
    assert.deepEqual(find(content, 'generated/a.ts', 'my tests/a.ts'), ['', '@qa'])
  })

  it('ignores sections and negations, and matches no path outside of the repository', () => {
    const content = '[Section] @nobody\n^[Optional]\n!x @never\n* @all\n'
    assert.deepEqual(find(content, 'x', '../../etc/passwd', '', '/absolute/x', 'C:\\ci\\x'), [
      '@all',
      '',
      '',
      '@all',
      '@all',
    ])
  })
})
