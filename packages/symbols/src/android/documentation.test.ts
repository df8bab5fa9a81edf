import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'

it('runs the example of docs/android.md with the documented result', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/android.md'), 'utf8')
  const [, example = ''] = /```ts\n([^]*?)```/.exec(page) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-example-'))
  try {
    writeFileSync(join(folder, 'mapping.txt'), 'com.example.App -> a.a:\n    1:1:void main():7:7 -> a\n')
    mkdirSync(join(folder, 'index'))
    const program = example
      .replace("'@fairlead/symbols'", JSON.stringify(new URL('../index.ts', import.meta.url).href))
      .replaceAll(/'(mapping\.txt|index(?:\/mapping\.index)?)'/g, (_, name: string) =>
        JSON.stringify(join(folder, name)),
      )
    writeFileSync(join(folder, 'example.ts'), `${program}\nexport { text, threads }\n`)
    const { text, threads } = await import(join(folder, 'example.ts'))
    assert.equal(text, '\tat com.example.App.main(App.java:7)')
    assert.equal(threads[0].frames[0].function, 'com.example.App.main')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
