import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const source = join(import.meta.dirname, '../src')
const styles = fileURLToPath(new URL('styles', import.meta.resolve('@mantine/core/styles.css')))

describe('the stylesheets of Mantine', () => {
  it('include the stylesheet of every component in use', () => {
    const listed = readFileSync(join(source, 'mantine-styles.ts'), 'utf8')
    const files = globSync('**/*.tsx', { cwd: source })
    assert.ok(files.length > 0)
    for (const file of files) {
      const text = readFileSync(join(source, file), 'utf8')
      for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
        for (const name of names.split(',').map((part) => part.trim())) {
          if (!existsSync(join(styles, `${name}.css`))) continue
          assert.ok(listed.includes(`/${name}.css'`), `${file} uses ${name}, whose stylesheet is not imported`)
        }
      }
    }
  })
})
