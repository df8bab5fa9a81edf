import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import generateTypes, { astToString } from 'openapi-typescript'
import { startServer } from '../testing/start-server.ts'
import { createApk } from '../testing/upload.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: true,
  },
  files: ['client.ts'],
}

/** A program as a user of the API would write it. The compiler has to refuse the line below `@ts-expect-error`. */
const program = `
import { readFileSync } from 'node:fs'
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const [baseUrl = '', token = '', file = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { 'X-Service-Token': token } })

const created = await client.POST('/v1/applications', {
  body: { name: 'Shop', alias: 'shop', platform: 'android', bundleIdentifier: null },
})
// @ts-expect-error: there is no such platform
void (() => client.POST('/v1/applications', { body: { name: 'Shop', alias: 'shop', platform: 'beos' } }))

const uploaded = await client.POST('/v2/builds', {
  params: { header: { 'X-Service-Application-Alias': 'shop' } },
  headers: { 'Content-Type': 'application/octet-stream' },
  body: readFileSync(file) as never,
  bodySerializer: (body) => body as never,
})
if (!created.data || !uploaded.data) throw new Error(JSON.stringify([created.error, uploaded.error]))
const buildId: number = uploaded.data.id
await client.PATCH('/v2/builds/{buildId}', { params: { path: { buildId } }, body: { releaseNotes: 'Faster' } })
const listed = await client.GET('/v1/applications/{applicationId}/builds', {
  params: { path: { applicationId: created.data.id }, query: { limit: 10 } },
})
const notes: (string | null)[] | undefined = listed.data?.map((build) => build.releaseNotes)
const missing = await client.GET('/v1/builds/{buildId}', { params: { path: { buildId: 999_999 } } })
const title: string | undefined = missing.error?.title
console.log(JSON.stringify({ notes, title }))
`

describe('a client of types that are generated from the description', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-client-'))
  after(() => rm(folder, { recursive: true }))

  before(async () => {
    const { json } = await server.call('GET', '/openapi.json', { token: null })
    await writeFile(join(folder, 'api.d.ts'), astToString(await generateTypes(json)))
    await writeFile(join(folder, 'client.ts'), program)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    await writeFile(join(folder, 'app.apk'), createApk())
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  })

  it('compiles under strict rules', async () => {
    const compiler = join(root, 'node_modules/.bin/tsc')
    const { stdout } = await run(compiler, ['--project', folder]).catch((error: { stdout: string }) => error)
    assert.equal(stdout, '')
  })

  it('creates an application, uploads a build, lists it and reads an error', async () => {
    const { stdout } = await run(process.execPath, ['client.ts', server.url, server.token, 'app.apk'], { cwd: folder })
    assert.deepEqual(JSON.parse(stdout), { notes: ['Faster'], title: 'Not found' })
  })
})
