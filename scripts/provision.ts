/**
 * Provides the tools that tests need besides npm: installs them on Debian as root, and names what is missing elsewhere.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

interface Tool {
  debianPackage: string
  what: string
  /** The tests also run without it, only slower. */
  isOptional?: boolean
  isThere: () => boolean
}

const onPath = (command: string) => () =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin'].some((folder) => existsSync(`${folder}/${command}`))

const tools: Tool[] = [
  {
    debianPackage: 'postgresql',
    what: 'the server on PostgreSQL',
    isThere: () => globSync('/usr/lib/postgresql/*/bin/postgres').length > 0,
  },
  { debianPackage: 'chromium', what: 'pages in a browser', isThere: () => existsSync('/usr/bin/chromium') },
  {
    debianPackage: 'chromium-headless-shell',
    what: 'pages in a browser at less cost',
    isOptional: true,
    isThere: () => existsSync('/usr/bin/chromium-headless-shell'),
  },
  {
    debianPackage: 'firefox-esr',
    what: 'pages in Firefox',
    isThere: () => existsSync('/usr/bin/firefox-esr'),
  },
  { debianPackage: 'openjdk-17-jdk-headless', what: 'the channel from Java', isThere: onPath('javac') },
  { debianPackage: 'gcc', what: 'the channel from C', isThere: onPath('cc') },
  { debianPackage: 'libc6-dev', what: 'the channel from C', isThere: () => existsSync('/usr/include/stdio.h') },
  {
    debianPackage: 'libseccomp-dev',
    what: 'the server under the filter of its systemd unit',
    isThere: () => existsSync('/usr/include/seccomp.h'),
  },
  {
    debianPackage: 'systemd',
    what: 'the server under the filter of its systemd unit',
    isThere: onPath('systemd-analyze'),
  },
  { debianPackage: 'radosgw', what: 'the server on an S3 server', isThere: onPath('radosgw') },
  { debianPackage: 'ceph-mon', what: 'the server on an S3 server', isThere: onPath('ceph-mon') },
  { debianPackage: 'ceph-osd', what: 'the server on an S3 server', isThere: onPath('ceph-osd') },
  { debianPackage: 'gradle', what: 'the Gradle plug-in', isThere: onPath('gradle') },
  { debianPackage: 'ruby', what: 'the fastlane plug-in', isThere: onPath('ruby') },
  { debianPackage: 'golang-go', what: 'the templates of the Helm chart', isThere: onPath('go') },
  {
    debianPackage: 'golang-github-masterminds-sprig-dev',
    what: 'the templates of the Helm chart',
    isThere: () => existsSync('/usr/share/gocode/src/github.com/Masterminds/sprig'),
  },
  { debianPackage: 'jq', what: 'the commands of the docs', isThere: onPath('jq') },
  { debianPackage: 'openssl', what: 'certificates and signed messages', isThere: onPath('openssl') },
  { debianPackage: 'nginx-light', what: 'downloads through nginx', isThere: onPath('nginx') },
  { debianPackage: 'aapt', what: 'binaries against aapt', isThere: onPath('aapt') },
  { debianPackage: 'apksigner', what: 'signatures against apksigner', isThere: onPath('apksigner') },
]

/** Installs what it can and returns one line for each tool that is still missing. */
export function provision(): string[] {
  const missing = tools.filter((tool) => !tool.isThere())
  if (missing.length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    // A package that does not exist makes the whole command fail, so an optional one has a command of its own.
    for (const isOptional of [false, true]) {
      const packages = missing.filter((tool) => (tool.isOptional ?? false) === isOptional)
      if (packages.length > 0) installFromDebian(packages.map((tool) => tool.debianPackage))
    }
  }
  return tools
    .filter((tool) => tool.isOptional !== true && !tool.isThere())
    .map((tool) => `not run: ${tool.what} (needs Debian's package ${tool.debianPackage})`)
}

function installFromDebian(packages: string[]): void {
  console.log(`installing ${packages.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (status !== 0) console.error(stderr)
  }
}
