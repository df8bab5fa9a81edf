import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DCLinter } from 'dclint'
import { parse, parseAllDocuments } from 'yaml'
import { openTemporaryFolder, startServerProcess } from '../processes/server-process.ts'
import { type Manifest, validateManifest } from './validate-manifest.ts'

const deploy = join(import.meta.dirname, '../../deploy')

interface Compose {
  services: Record<
    string,
    { image?: string; environment?: Record<string, string>; depends_on?: Record<string, unknown> }
  >
  volumes: Record<string, unknown>
}

interface Deployment {
  kind: string
  spec: {
    template: { spec: { enableServiceLinks?: boolean; containers: { env: { name: string; value: string }[] }[] } }
  }
}

describe('the files for containers', () => {
  it('name every image that others publish by its digest', async () => {
    const compose: Compose = parse(await readFile(join(deploy, 'docker/compose.yaml'), 'utf8'))
    const dockerfile = await readFile(join(deploy, 'docker/Dockerfile'), 'utf8')
    const images = [
      ...Object.values(compose.services).flatMap(({ image }) => image ?? []),
      ...Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, image = '']) => image),
    ]
    assert.equal(images.length, 4)
    for (const image of images) assert.match(image, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
  })

  it('keep to the schemas of Compose and of Kubernetes, which find a fault that is planted', async () => {
    const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
    const faultsOf = async (path: string) => {
      const [file] = await linter.lintFiles([path], false)
      // The other rules are those of taste.
      return (
        file?.messages.filter(({ rule }: { rule: string }) => rule === 'invalid-schema' || rule === 'invalid-yaml') ??
        []
      )
    }
    const compose = join(deploy, 'docker/compose.yaml')
    assert.deepEqual(await faultsOf(compose), [])
    await using folder = await openTemporaryFolder()
    const broken = join(folder.path, 'compose.yaml')
    await writeFile(broken, (await readFile(compose, 'utf8')).replace('read_only: true', 'read_only: [1]'))
    assert.equal((await faultsOf(broken)).length > 0, true)
    const manifests = parseAllDocuments(await readFile(join(deploy, 'kubernetes/fairlead.yaml'), 'utf8'))
    for (const one of manifests) validateManifest(one.toJS())
    const [deployment] = manifests.map((one): Manifest => one.toJS())
    assert.throws(() => validateManifest({ ...(deployment ?? assert.fail('none')), spec: {} }), /Deployment/)
  })

  it('wait only for services of the compose file, and give the server settings that it takes', async () => {
    const { services }: Compose = parse(await readFile(join(deploy, 'docker/compose.yaml'), 'utf8'))
    for (const { depends_on: needed = {} } of Object.values(services)) {
      for (const name of Object.keys(needed)) assert.ok(name in services, name)
    }
    const values: Record<string, string> = { FAIRLEAD_DOMAIN: 'builds.example.com', POSTGRES_PASSWORD: 'x' }
    const given = Object.entries(services['fairlead']?.environment ?? {})
    // PostgreSQL is not there, so the embedded database takes its place.
    const env = given
      .filter(([name]) => name !== 'FAIRLEAD_DATABASE_URL')
      .map(([name, value]) => [name, value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, one: string) => values[one] ?? '')])
    await using data = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: data.path, env: Object.fromEntries(env) })
    assert.match(server.output(), /"baseUrl":"https:\/\/builds\.example\.com"/)
  })

  it('keep the variables of Services from pods, which the server ignores with one warning', async () => {
    const text = await readFile(join(deploy, 'kubernetes/fairlead.yaml'), 'utf8')
    const documents = parseAllDocuments(text).map((one): Deployment => one.toJS())
    const { template } = (documents.find(({ kind }) => kind === 'Deployment') ?? assert.fail('no Deployment')).spec
    assert.equal(template.spec.enableServiceLinks, false)
    assert.doesNotMatch(text, /snippet/)
    await using data = await openTemporaryFolder()
    const own = template.spec.containers[0]?.env.map(({ name, value }) => [name, value]) ?? []
    const links = { FAIRLEAD_SERVICE_HOST: '10.96.0.7', FAIRLEAD_PORT_80_TCP: 'tcp://10.96.0.7:80' }
    const env = { ...Object.fromEntries(own), ...links }
    await using server = await startServerProcess({ dataDir: data.path, env })
    assert.equal(server.output().split('are ignored').length - 1, 1, server.output())
  })
})
