/** Reads every page and looks for the files and headings that its links name. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', '{docs,apps,packages,test,bench,actions,integrations,deploy}/**/*.md'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})

describe('the links of pages', () => {
  it('lead to files and headings that exist', () => {
    const links = pages.flatMap((page) => listLinks(page).map((target) => ({ page, target })))
    assert.ok(links.length > 200, `${links.length} links were found`)
    assert.deepEqual(
      links.filter(({ page, target }) => !leadsSomewhere(page, target)).map(({ page, target }) => `${page}: ${target}`),
      [],
    )
  })

  it('would be found if they led nowhere', () => {
    assert.equal(leadsSomewhere('README.md', 'docs/nowhere.md'), false)
    assert.equal(leadsSomewhere('docs/crashes.md', '../README.md#nowhere'), false)
    assert.equal(leadsSomewhere('docs/crashes.md', '../README.md#settings'), true)
  })
})

/** Lists the targets of links within the repository. */
function listLinks(page: string): string[] {
  const prose = readPage(page).replaceAll(/`[^`\n]*`/g, '')
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter(
    (target) => !/^[a-z]+:/.test(target),
  )
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || !file.endsWith('.md') || listAnchors(file).includes(anchor)
}

/** The anchors that GitHub and GitLab give to headings. */
function listAnchors(page: string): string[] {
  return Array.from(readPage(page).matchAll(/^#{1,6} +(.+?)\s*$/gm), ([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The text of a page without its blocks of code. */
function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '')
}
