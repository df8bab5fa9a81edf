/** Reads from the files in `deploy/` under which conditions they run the server. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

const deploy = join(import.meta.dirname, '../../deploy')

export interface Conditions {
  uid: number
  isRootReadOnly: boolean
  hasNoNewPrivileges: boolean
  hasCapabilities: boolean
  /** Variables that the platform sets by itself. */
  env: Record<string, string>
  memoryBytes: number | null
  /** The allowed system calls and what happens at others; null for no filter of the file's own. */
  filter: { allowed: string[]; refusal: 'errno' | 'kill' } | null
  /** Whether /proc shows processes only. */
  hidesProc: boolean
}

/** An id that owns nothing on this machine, where the file names a user that only its own machine has. */
const strangerId = 64_001

export function readUnit(): Conditions {
  const lines = readFileSync(join(deploy, 'systemd/fairlead.service'), 'utf8').split('\n')
  const all = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))
  const last = (name: string) => all(name).at(-1)
  const environment = all('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2)))
  const given = environment.filter(([name]) => name !== 'FAIRLEAD_DATA_DIR')
  return {
    uid: strangerId,
    isRootReadOnly: last('ProtectSystem') === 'strict',
    hasNoNewPrivileges: last('NoNewPrivileges') === 'true',
    hasCapabilities: last('CapabilityBoundingSet') !== '',
    env: Object.fromEntries(given.map(([name = '', value = '']) => [name, value])),
    memoryBytes: toBytes(last('MemoryMax')),
    filter: {
      allowed: resolveFilter(all('SystemCallFilter')),
      refusal: last('SystemCallErrorNumber') === undefined ? 'kill' : 'errno',
    },
    hidesProc: last('ProcSubset') === 'pid',
  }
}

/** The first line says that the list names what is allowed; each further line adds to it, or takes away with `~`. */
function resolveFilter(lines: readonly string[]): string[] {
  const allowed = new Set<string>()
  // systemd allows these in every list, because a program could not even start without them.
  for (const call of expand('@default')) allowed.add(call)
  for (const line of lines) {
    const isDenied = line.startsWith('~')
    for (const name of line.replace('~', '').split(/\s+/).filter(Boolean)) {
      for (const call of expand(name)) {
        if (isDenied) allowed.delete(call)
        else allowed.add(call)
      }
    }
  }
  return [...allowed]
}

/** Replaces the name of a group of system calls by its members. */
function expand(name: string): string[] {
  if (!name.startsWith('@')) return [name]
  const { status, stdout } = spawnSync('systemd-analyze', ['syscall-filter', name], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`systemd-analyze does not know ${name}`)
  const members = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
  return members.filter((line) => line !== '' && !line.startsWith('#')).flatMap(expand)
}

interface ComposeService {
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  environment?: Record<string, string>
  mem_limit?: string
}

export function readCompose(): Conditions {
  const file: { services: { fairlead: ComposeService } } = parse(
    readFileSync(join(deploy, 'docker/compose.yaml'), 'utf8'),
  )
  const { fairlead } = file.services
  const image = readFileSync(join(deploy, 'docker/Dockerfile'), 'utf8')
  const [, uid = '0'] = /^USER (\d+)/m.exec(image) ?? []
  // Variables without a value, which compose sets to the empty text.
  const empty = Object.entries(fairlead.environment ?? {}).filter(([, value]) => /^\$\{\w+:-\}$/.test(value))
  return {
    uid: Number(uid),
    isRootReadOnly: fairlead.read_only === true,
    hasNoNewPrivileges: fairlead.security_opt?.includes('no-new-privileges:true') === true,
    hasCapabilities: fairlead.cap_drop?.includes('ALL') !== true,
    env: { NODE_ENV: 'production', ...Object.fromEntries(empty.map(([name]) => [name, ''])) },
    memoryBytes: toBytes(fairlead.mem_limit),
    filter: null,
    hidesProc: false,
  }
}

export interface PodSpec {
  enableServiceLinks?: boolean
  securityContext: { runAsUser: number }
  containers: {
    env?: { name: string; value: string }[]
    resources: { limits: { memory: string } }
    securityContext: {
      allowPrivilegeEscalation: boolean
      readOnlyRootFilesystem: boolean
      capabilities: { drop: string[] }
    }
  }[]
}

export function readPodFile(): Conditions {
  const text = readFileSync(join(deploy, 'kubernetes/fairlead.yaml'), 'utf8')
  return readPod(parseAllDocuments(text).map((document): KubernetesObject => document.toJS()))
}

/** The parts of a manifest that say how its pod runs. */
export interface KubernetesObject {
  kind: string
  metadata: { name: string }
  stringData?: Record<string, string>
  spec?: { template?: { spec?: PodSpec } }
}

/**
 * Reads from manifests how their pod runs. The variables of their Secret are left out, because those of the file are
 * examples.
 */
export function readPod(objects: readonly KubernetesObject[]): Conditions {
  const pod = objects.find(({ kind }) => kind === 'Deployment')?.spec?.template?.spec
  const [container] = pod?.containers ?? []
  if (!pod || !container) throw new Error('There is no Deployment.')
  const services = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name)
  const links = pod.enableServiceLinks === false ? [] : services.map(toServiceVariables)
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext
  const given = (container.env ?? []).filter(({ name }) => name !== 'FAIRLEAD_DATA_DIR')
  return {
    uid: pod.securityContext.runAsUser,
    isRootReadOnly: readOnlyRootFilesystem,
    hasNoNewPrivileges: !allowPrivilegeEscalation,
    hasCapabilities: !capabilities.drop.includes('ALL'),
    env: Object.assign({}, ...links, ...given.map(({ name, value }) => ({ [name]: value }))),
    memoryBytes: toBytes(container.resources.limits.memory),
    filter: null,
    hidesProc: false,
  }
}

/** The variables that Kubernetes sets in every pod for each service (service links). */
function toServiceVariables(service: string): Record<string, string> {
  const name = service.toUpperCase().replaceAll('-', '_')
  const url = 'tcp://10.0.0.7:80'
  const port = { [`${name}_PORT`]: url, [`${name}_PORT_80_TCP`]: url, [`${name}_PORT_80_TCP_PROTO`]: 'tcp' }
  return { ...port, [`${name}_SERVICE_HOST`]: '10.0.0.7', [`${name}_SERVICE_PORT`]: '80' }
}

function toBytes(text: string | undefined): number | null {
  const [, number, unit = ''] = /^(\d+)([KMG]?)i?$/i.exec(text ?? '') ?? []
  if (number === undefined) return null
  return Number(number) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit.toUpperCase())
}
