/**
 * Finds or fetches a Swift toolchain. The one on the PATH is used where there is one. On a Debian that has none, the
 * packages of Debian 13 (trixie) are fetched by apt-get, from the mirror of this machine's own sources, with lists and
 * state of their own, so that nothing is installed. They are unpacked into a cache and run there by chroot, in a mount
 * namespace of their own, because a toolchain needs the C library that it was built with.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Starts a program where the toolchain is: the words go before its own. */
export interface SwiftToolchain {
  readonly prefix: readonly string[]
}

const suite = 'trixie'
const packages = ['swiftlang', 'libc6-dev', 'libstdc++-14-dev', 'dash', 'coreutils']
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** What neither a build nor a test needs, more than half of the bytes. libIndexStore stays: it finds the tests. */
const leftOut = [
  '*lldb*',
  '*sourcekit*',
  '*/clangd',
  '*/docc',
  '*/swift-format',
  '*/libLTO*',
  '*/swift_static',
  '*/lib/swift/embedded',
  '*/FrameworkABIBaseline',
  './usr/share/doc',
  './usr/share/man',
  './usr/share/locale',
  './usr/share/info',
]

/**
 * Mounts what a program needs into the folder and changes to it there. Arguments: the folder, the repository, the
 * working folder, then the program and its own.
 */
const enterScript = `
set -e
root=$1 repository=$2 folder=$3
shift 3
mkdir -p "$root/proc" "$root/dev" "$root/tmp" "$root$repository"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind /tmp "$root/tmp"
mount --bind "$repository" "$root$repository"
exec chroot "$root" /usr/bin/env PATH=/usr/libexec/swift/bin:/usr/bin:/bin HOME=/tmp \\
  /bin/sh -c 'cd "$1"; shift; exec "$@"' sh "$folder" "$@"
`

/** Returns the toolchain, or the reason why there is none. */
export function findSwift(repository: string): SwiftToolchain | string {
  if (runs('swift', ['--version'])) return { prefix: [] }
  if (process.platform !== 'linux') return 'swift is not on the PATH'
  const missing = ['apt-get', 'dpkg-deb', 'unshare', 'chroot'].filter((tool) => !runs(tool, ['--version']))
  if (missing.length > 0) return `swift is not on the PATH, and to fetch it ${missing.join(', ')} is missing`
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user']
  if (!runs('unshare', [...namespace, 'true'])) return 'swift is not on the PATH, and this user may not use chroot'
  try {
    const root = fetchToolchain()
    const enter = ['unshare', ...namespace, 'sh', '-c', enterScript, 'enter', root, repository]
    return { prefix: [...enter, process.cwd()] }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return `swift is not on the PATH and could not be fetched: ${words}`
  }
}

function runs(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** Returns the folder of the unpacked packages. Its name tells of what it was made, so that a change makes it anew. */
function fetchToolchain(): string {
  const recipe = createHash('sha256')
    .update(JSON.stringify([suite, packages, leftOut]))
    .digest('hex')
    .slice(0, 12)
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(cache, 'fairlead', `swift-${suite}-${process.arch}-${recipe}`)
  if (existsSync(folder)) return folder
  const staging = `${folder}.${process.pid}`
  try {
    const archives = download(join(staging, 'apt'))
    const root = join(staging, 'root')
    unpack(archives, root)
    renameSync(root, folder)
    return folder
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Names of Debian's releases, by which its mirror is told from other sources of packages. */
const releases = /^(?:bullseye|bookworm|trixie|forky|sid|(?:old)*stable|testing|unstable)$/

/** The mirror that this machine takes Debian from. */
function findMirror(): string {
  const targets = tryRun('apt-get', ['indextargets', 'Created-By: Packages', '--format', '$(REPO_URI) $(RELEASE)'])
  for (const line of targets.split('\n')) {
    const [uri, release = ''] = line.split(' ')
    if (uri && releases.test(release)) return uri
  }
  throw new Error('apt of this machine has no sources of Debian')
}

/** Downloads the packages and all that they depend on, and returns the paths of the archives. */
function download(state: string): string[] {
  for (const folder of ['lists/partial', 'archives/partial', 'parts'])
    mkdirSync(join(state, folder), { recursive: true })
  writeFileSync(join(state, 'status'), '')
  writeFileSync(join(state, 'sources.list'), `deb [signed-by=${keyring}] ${findMirror()} ${suite} main\n`)
  const settings = {
    'Dir::Etc::SourceList': join(state, 'sources.list'),
    'Dir::Etc::SourceParts': join(state, 'parts'),
    'Dir::Etc::PreferencesParts': join(state, 'parts'),
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::State': state,
    'Dir::State::status': join(state, 'status'),
    'Dir::State::Lists': join(state, 'lists'),
    'Dir::Cache': state,
    'Dir::Cache::Archives': join(state, 'archives'),
    'Acquire::Languages': 'none',
    'APT::Sandbox::User': '',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  console.error('fetching a Swift toolchain (525 MB)')
  tryRun('apt-get', [...options, 'update'])
  tryRun('apt-get', [...options, '--yes', '--download-only', '--no-install-recommends', 'install', ...packages])
  return globSync(join(state, 'archives', '*.deb'))
}

function unpack(archives: string[], root: string): void {
  console.error(`unpacking ${archives.length} packages`)
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) {
    mkdirSync(join(root, 'usr', name), { recursive: true })
    // The package that has these links is not among them.
    symlinkSync(`usr/${name}`, join(root, name))
  }
  const tar = ['tar', '-x', '-C', root, '--keep-directory-symlink', '--no-same-owner']
  const excludes = leftOut.map((pattern) => `--exclude=${pattern}`)
  for (const archive of archives) {
    const script = 'archive=$1; shift; dpkg-deb --fsys-tarfile "$archive" | "$@"'
    tryRun('sh', ['-c', script, 'sh', archive, ...tar, ...excludes])
  }
}

/** Runs a program and returns its output; an error has the end of what it wrote. */
function tryRun(command: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status === 0) return stdout
  const words = error?.message ?? stderr.trim().split('\n').slice(-3).join(' ')
  throw new Error(`${command} failed: ${words}`)
}

/** Prints the words that start a program where the toolchain is, each ended by a zero byte. */
if (import.meta.main) {
  const toolchain = findSwift(join(import.meta.dirname, '..'))
  if (typeof toolchain === 'string') throw new Error(`not run: the channel in Swift (${toolchain})`)
  for (const word of toolchain.prefix) process.stdout.write(`${word}\0`)
}
