/**
 * Renders the Helm chart with the template engine of Helm, Go's own, and the functions of sprig from Debian, and checks
 * what comes out against the schemas of Kubernetes. Helm itself is in no registry that the tests may use.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { startPostgres } from '../../scripts/postgres.ts'
import { readJson } from '../../scripts/read-json.ts'
import { readPod } from '../processes/conditions.ts'
import { findObstacle as findConfinementObstacle, useConfinedServer } from '../processes/confined-server.ts'
import { openTemporaryFolder } from '../processes/server-process.ts'
import { type Manifest, validateManifest } from './validate-manifest.ts'

const chart = join(import.meta.dirname, '../../deploy/helm/fairlead')
const sprig = '/usr/share/gocode/src/github.com/Masterminds/sprig'

interface Values {
  [name: string]: unknown
}

const external = {
  database: { url: 'postgres://fairlead:secret@db/fairlead' },
  objectStore: { url: 's3://builds?endpoint=https://s3.example.com', accessKeyId: 'key', secretAccessKey: 'secret' },
}
const base = { baseUrl: 'https://builds.example.com' }

describe('the Helm chart', { timeout: 600_000, skip: findObstacle() }, () => {
  const opened = new AsyncDisposableStack()
  let program: string
  let templates: Record<string, string>
  let metadata: { name: string; version: string; appVersion: string }
  let defaults: Values
  let isValid: ValidateFunction
  before(async () => {
    const folder = opened.use(await openTemporaryFolder()).path
    program = join(folder, 'render-chart')
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') }
    execFileSync('go', ['build', '-o', program, join(import.meta.dirname, 'render-chart.go')], { env })
    const read = (path: string) => readFile(join(chart, path), 'utf8')
    const names = await readdir(join(chart, 'templates'))
    templates = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await read(`templates/${name}`)] as const)),
    )
    metadata = parse(await read('Chart.yaml'))
    defaults = parse(await read('values.yaml'))
    isValid = new Ajv({ strict: false }).compile(readJson<object>(await read('values.schema.json')))
  })
  after(() => opened.disposeAsync())

  /** Renders as `helm template NAME` does, with values over the defaults; throws what a template refuses. */
  const render = (values: Values, name = 'fairlead'): Record<string, string> => {
    const merged = mergeValues(defaults, values)
    assert.ok(isValid(merged), JSON.stringify(isValid.errors))
    const release = { Name: name, Namespace: 'apps', Service: 'Helm' }
    // Helm gives the metadata of a chart names that begin with a capital.
    const about = { Name: metadata.name, Version: metadata.version, AppVersion: metadata.appVersion }
    const input = JSON.stringify({ templates, values: merged, release, chart: about })
    const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return readJson<Record<string, string>>(stdout)
  }
  const list = (values: Values, name?: string): Manifest[] =>
    Object.entries(render(values, name))
      .filter(([file]) => file.endsWith('.yaml'))
      .flatMap(([, text]) => parseAllDocuments(text).flatMap((one): Manifest[] => one.toJS() ?? []))
  const find = (manifests: readonly Manifest[], kind: string) =>
    manifests.find((one) => one.kind === kind) ?? assert.fail(`no ${kind}`)

  it('renders manifests that Kubernetes knows, for every way to run it', () => {
    const ways: [values: Values, kinds: string[]][] = [
      [{ ...base, ...external }, ['Deployment', 'Ingress', 'PodDisruptionBudget', 'Secret', 'Service']],
      [{ ...base, replicas: 1 }, ['Deployment', 'Ingress', 'PersistentVolumeClaim', 'Secret', 'Service']],
      [
        { ...base, existingSecret: 'mine', ingress: { enabled: false }, service: { type: 'LoadBalancer', port: 8080 } },
        ['Deployment', 'PodDisruptionBudget', 'Service'],
      ],
      [
        {
          ...base,
          ...external,
          replicas: 5,
          image: { digest: `sha256:${'0'.repeat(64)}`, pullSecrets: [{ name: 'registry' }] },
          settings: { FAIRLEAD_WORKSPACE_MAX_BUILDS: 1000, FAIRLEAD_LOG_LEVEL: 'warn: "x"' },
          mail: { smtpUrl: 'smtp://mail:25', from: 'Builds <builds@example.com>' },
          ingress: { className: '', tlsSecret: '', host: 'other.example.com', annotations: { a: 'b: c' } },
          podAnnotations: { note: 'a "b"' },
          podLabels: { team: 'apps' },
          nodeSelector: { disk: 'ssd' },
          tolerations: [{ key: 'x', operator: 'Exists' }],
          affinity: { nodeAffinity: {} },
          serviceAccountName: 'builds',
        },
        ['Deployment', 'Ingress', 'PodDisruptionBudget', 'Secret', 'Service'],
      ],
    ]
    for (const [values, kinds] of ways) {
      const manifests = list(values)
      assert.deepEqual(manifests.map(({ kind }) => kind).toSorted(), kinds)
      for (const manifest of manifests) validateManifest(manifest)
    }
  })

  it('keeps secrets out of the Deployment, and names an own Secret', () => {
    const manifests = list({ ...base, ...external, metricsToken: 'token-7' })
    const { stringData } = find(manifests, 'Secret')
    assert.deepEqual(Object.keys(stringData ?? {}).toSorted(), [
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'FAIRLEAD_DATABASE_URL',
      'FAIRLEAD_METRICS_TOKEN',
      'FAIRLEAD_STORAGE_URL',
    ])
    assert.doesNotMatch(JSON.stringify(find(manifests, 'Deployment')), /secret@|token-7/)
    const own = list({ ...base, existingSecret: 'mine' })
    assert.match(JSON.stringify(find(own, 'Deployment')), /"secretRef":\{"name":"mine"\}/)
  })

  it('starts new pods when a secret changes', () => {
    const read = (values: Values) => JSON.stringify(find(list(values), 'Deployment').spec)
    assert.equal(read({ ...base, ...external }), read({ ...base, ...external }))
    const changed = { ...external, database: { url: 'postgres://fairlead:other@db/fairlead' } }
    assert.notEqual(read({ ...base, ...external }), read({ ...base, ...changed }))
    for (const secret of [{ metricsToken: 'a' }, { secretsKey: 'a' }, { mail: { smtpUrl: 'smtp://mail:25' } }]) {
      assert.notEqual(read({ ...base, ...external }), read({ ...base, ...external, ...secret }), JSON.stringify(secret))
    }
  })

  it('runs the server as the manifest beside it does', async () => {
    const text = await readFile(join(chart, '../../kubernetes/fairlead.yaml'), 'utf8')
    const plain = parseAllDocuments(text).map((one): Manifest => one.toJS())
    const pod = (manifests: readonly Manifest[]) => {
      const { containers, securityContext, terminationGracePeriodSeconds, ...spec } =
        find(manifests, 'Deployment').spec?.template?.spec ?? assert.fail('no pod')
      const [container] = containers
      const { env: _env, image: _image, imagePullPolicy: _policy, ...rest } = container ?? assert.fail('no container')
      return { rest, securityContext, terminationGracePeriodSeconds, links: spec['enableServiceLinks'] }
    }
    assert.deepEqual(pod(list({ ...base, ...external })), pod(plain))
  })

  it('starts the server over PostgreSQL as its pod does, where all features work', async (context) => {
    const obstacle = findConfinementObstacle()
    using postgres = obstacle === false ? await startPostgres() : undefined
    if (!postgres) {
      assert.notEqual(process.env['CI'], 'true', 'nothing may be left out here, and PostgreSQL is missing')
      context.skip(obstacle === false ? 'needs PostgreSQL' : obstacle)
      return
    }
    const manifests = list({
      baseUrl: 'http://builds.example.com',
      replicas: 1,
      database: { url: postgres.url },
      metricsToken: 'token-of-the-metrics',
      secretsKey: Buffer.alloc(32, 7).toString('base64'),
    })
    const conditions = readPod(manifests)
    await useConfinedServer({ ...conditions, env: { ...conditions.env, ...find(manifests, 'Secret').stringData } })
  })

  it('takes the host of the base URL, and a release of any name', () => {
    const { spec } = find(list({ baseUrl: 'https://apps.example.org:8443/x', ...external }, 'team-one'), 'Ingress')
    assert.match(JSON.stringify(spec), /"host":"apps\.example\.org"/)
    assert.match(JSON.stringify(spec), /"ingressClassName":"nginx"/)
    const long = list({ ...base, ...external }, 'a-release-with-quite-a-long-name-of-53-characters-xyz')
    for (const { metadata: about } of long) assert.ok(about.name.length <= 63, about.name)
  })

  it('refuses values that cannot work, in a sentence', () => {
    assert.throws(() => render({}), /baseUrl is required/)
    assert.throws(() => render({ ...base, replicas: 2 }), /more than one replica needs database\.url/)
    assert.throws(() => render({ ...base, database: external.database }), /more than one replica/)
    for (const wrong of [{ replica: 3 }, { database: { url: 'mysql://x' } }, { service: { port: 0 } }]) {
      assert.throws(() => render({ ...base, ...external, ...wrong }), /must/)
    }
  })

  it('has a schema for every value, and the version of the product', async () => {
    const schema = readJson<{ properties: Record<string, unknown> }>(
      await readFile(join(chart, 'values.schema.json'), 'utf8'),
    )
    for (const name of Object.keys(defaults)) assert.ok(name in schema.properties, name)
    const { version } = readJson<{ version: string }>(
      await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'),
    )
    assert.deepEqual([metadata.version, metadata.appVersion], [version, version])
  })
})

/** Lays values over others as Helm does: objects are merged, everything else is replaced. */
function mergeValues(below: Values, above: Values): Values {
  const merged = { ...below }
  for (const [name, value] of Object.entries(above)) {
    const under = below[name]
    merged[name] = isValues(under) && isValues(value) ? mergeValues(under, value) : value
  }
  return merged
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Says what is missing on this machine; false when nothing is. */
function findObstacle(): string | false {
  const hasGo = spawnSync('go', ['version']).status === 0
  const missing = hasGo && existsSync(sprig) ? false : "Debian's golang-go and golang-github-masterminds-sprig-dev"
  if (missing !== false) assert.notEqual(process.env['CI'], 'true', `nothing may be left out here: ${missing}`)
  return missing
}
