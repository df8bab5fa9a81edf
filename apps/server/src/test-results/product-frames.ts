/**
 * Product frames: the functions of the product in which a test failed. Two tests that failed in the same ones failed
 * for one reason, so a failure of one makes that of the other known. They are the innermost frames of the team's own
 * code that name a function, up to the first frame of a test or of a helper of tests. The failed assertion of a test
 * has none: it was raised in the test. A file alone is none either.
 */
import { hash } from 'node:crypto'
import { basename } from 'node:path/posix'
import { blankMessage } from '@fairlead/crashes'
import { type Failure, isAssertion } from './assertion.ts'
import { isOwnClass } from './group-key.ts'

export interface FailedTest {
  /** The class and the file of the test, which are test code whatever their names are. */
  className: string | null
  file: string | null
}

interface Frame {
  /** The class of Java and Kotlin; null for languages whose frames name files. */
  className: string | null
  path: string | null
  /** Null for a frame that names no function. */
  name: string | null
}

const maxFrames = 10
const maxLines = 400
const maxLineLength = 1000

/**
 * Returns a key that is equal for failures in the same functions of the product, with the same exception and message;
 * null for a failure without such functions.
 */
export function toProductKey(failure: Failure, test: FailedTest): string | null {
  if (isAssertion(failure)) return null
  const frames = listProductFrames(readFrames(failure.details ?? failure.message ?? ''), test)
  return toKey(failure, frames)
}

/** The key of a crash whose frames are resolved, innermost first; `Class.method` or the name of a function. */
export function toProductKeyOfCrash(failure: Omit<Failure, 'details'>, names: string[], test: FailedTest) {
  if (isAssertion({ ...failure, details: null })) return null
  const frames = names.map((name): Frame => {
    const dot = name.lastIndexOf('.')
    return dot === -1
      ? { className: null, path: null, name }
      : { className: name.slice(0, dot), path: null, name: name.slice(dot + 1) }
  })
  return toKey({ ...failure, details: null }, listProductFrames(frames, test))
}

function toKey({ type, message, details }: Failure, frames: string[]): string | null {
  if (frames.length === 0) return null
  const [line = ''] = (message ?? details ?? '').trimStart().split('\n', 1)
  return hash('sha256', [type ?? '', blankMessage(line), ...frames].join('\n'), 'hex').slice(0, 32)
}

function listProductFrames(frames: Frame[], test: FailedTest): string[] {
  const names: string[] = []
  for (const frame of frames) {
    if (isTestCode(frame, test)) break
    if (frame.name === null) continue
    names.push(`${frame.className ?? (frame.path === null ? '' : basename(frame.path))}#${frame.name}`)
    if (names.length === maxFrames) break
  }
  return names
}

const testFile =
  /^(?:test_.*|conftest\.\w+|.*[._-](?:test|tests|spec|specs|e2e|cy|it|helper|helpers|fixture|fixtures)\.\w+)$/i
const testClass = /(?:Tests?|Spec|IT|TestCase|Steps|Robot|Helpers?|Fixtures?|TestRule|TestBase|TestUtils?)$/
const testFolder = new RegExp(
  String.raw`(?:^|[/.])(?:tests?|__tests__|spec|specs|e2e|cypress|testing|helpers?|fixtures?|support|androidTest` +
    String.raw`|testFixtures)[/.]`,
)

function isTestCode({ className, path }: Frame, test: FailedTest): boolean {
  if (className !== null) {
    const outer = className.replace(/\$.*$/, '')
    const own = test.className?.replace(/\$.*$/, '') ?? null
    return outer === own || testClass.test(outer.replace(/Kt$/, '')) || testFolder.test(outer)
  }
  if (path === null) return false
  const file = path.replaceAll('\\', '/')
  const name = basename(file)
  if (testFile.test(name) || testClass.test(name.replace(/\.\w+$/, ''))) return true
  const own = test.file?.replaceAll('\\', '/') ?? null
  if (own !== null && (file === own || file.endsWith(`/${own}`) || own.endsWith(`/${file}`))) return true
  // The folders of the checkout are unknown, so only the last ones say what a file is for.
  return testFolder.test(file.split('/').slice(-4).join('/'))
}

const javaFrame = /^\s*at (?:[\w.@-]+\/)?([\w.$]+)\.([\w$<>-]+)\([^)]*\)/
const scriptFrame = /^\s*at (?:async )?(?:([^()]+?) )?\(?([^()\s]*):\d+:\d+\)?\s*$/
/** Frames as Vitest prints them: ` ❯ charge src/shop.js:10:15`. */
const arrowFrame = /^\s*❯ (?:(\S[^()]*?) )?(\S+):\d+:\d+\s*$/
const pythonFrame = /^\s*File "([^"]+)", line \d+(?:, in (\S+))?/
/** Traces of pytest: the lines of a function, then its place. */
const pytestFunction = /^\s*(?:async )?def (\w+)\(/
const pytestPlace = /^(\S+\.py):\d+: ?(?:in (\w+)|\w*)\s*$/
const foreignPath = new RegExp(
  String.raw`node_modules|node:|\(internal\/|site-packages|dist-packages|lib\/python|\/vendor\/|^<|^webpack\/runtime`,
)
/** Frames of Go have two lines: the function with its package, then the file. */
const goFunction = /^((?:[\w.~-]+\/)*[\w-]+)\.((?:\(\*?\w+\)\.)?\w[\w.]*)\(.*\)$/
const goPlace = /^\t(\S+\.go):\d+(?: \+0x[\da-f]+)?$/
/** Names that stand for a function without one, and wrappers that name a caller only. */
const unnamed = /<anonymous>|^(?:anonymous|eval|new Promise|Promise\.all.*|<module>|<lambda>|lambda\$.*)$/

/** Reads the frames of a stack trace, innermost first, without those of libraries. */
function readFrames(text: string): Frame[] {
  const frames: Frame[] = []
  let isPython = false
  let definition: string | null = null
  let goFrame: { module: string; name: string } | null = null
  for (const raw of text.split('\n', maxLines)) {
    const line = raw.slice(0, maxLineLength)
    // The frames of a cause repeat those of the exception that it caused.
    if (/^\s*Caused by:/.test(line) && frames.length > 0 && !isPython) break
    const java = javaFrame.exec(line)
    if (java?.[1] !== undefined && !/\.(?:[cm]?[jt]sx?|py):\d+/.test(line)) {
      if (isOwnClass(java[1])) frames.push({ className: java[1], path: null, name: toName(java[2]) })
      continue
    }
    const python = pythonFrame.exec(line)
    if (python?.[1] !== undefined) {
      isPython = true
      if (!foreignPath.test(python[1])) frames.push({ className: null, path: python[1], name: toName(python[2]) })
      continue
    }
    const goFile = goFrame && goPlace.exec(line)?.[1]
    if (goFrame && goFile !== null && goFile !== undefined) {
      if (!isGoLibrary(goFrame.module, goFile)) frames.push({ className: null, path: goFile, name: goFrame.name })
      goFrame = null
      continue
    }
    const [, module, name] = goFunction.exec(line) ?? []
    goFrame = module === undefined || name === undefined ? null : { module, name }
    definition = pytestFunction.exec(line)?.[1] ?? definition
    const place = pytestPlace.exec(line)
    if (place?.[1] !== undefined) {
      isPython = true
      const name = place[2] ?? definition
      if (!foreignPath.test(place[1])) frames.push({ className: null, path: place[1], name: toName(name ?? undefined) })
      definition = null
      continue
    }
    const script = scriptFrame.exec(line) ?? arrowFrame.exec(line)
    if (script?.[2] === undefined || foreignPath.test(script[2])) continue
    frames.push({ className: null, path: script[2].replace(/^file:\/\//, ''), name: toName(script[1]) })
  }
  // Python names the innermost frame last.
  return isPython ? frames.reverse() : frames
}

/** The standard library lies in `src` below the folder of Go, and its packages have no domain. */
function isGoLibrary(module: string, file: string): boolean {
  const isStandard = !module.split('/', 1)[0]?.includes('.') && file.includes(`/src/${module}/`)
  return isStandard || /\/pkg\/mod\/|\/vendor\//.test(file)
}

function toName(name: string | undefined): string | null {
  return name === undefined || unnamed.test(name) ? null : name
}
