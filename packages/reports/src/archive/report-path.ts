/** Reads the path of a report inside an archive, which may name its suite, its environment and its attempt. */

export interface ReportPath {
  /** Gradle's `:module:task`. */
  suite: string | null
  /** The device of Test Lab: `model-version-locale-orientation`. */
  environment: string | null
  run: { group: string; attempt: number } | null
}

const attemptMark = /^(.*?)[-_.]?(?:rerun_|attempt-)(\d{1,4})$/
const testLabDevice = /^[\w.]+-\d+(?:\.\d+)*-[a-z]{2,3}(?:[_-][A-Za-z]{2,4})?-(?:portrait|landscape|default)$/

export function readReportPath(path: string): ReportPath {
  const segments = path.split('/')
  const folders = segments.slice(0, -1)
  const plain = segments.map((segment, index) => dropMark(segment, index === segments.length - 1))
  const attempts = plain.map(({ attempt }) => attempt).filter((attempt) => attempt !== null)
  const group = plain.map(({ name }) => name).filter((name) => name !== '')
  const environment = group.slice(0, -1).findLast((segment) => testLabDevice.test(segment)) ?? null
  return {
    suite: findGradleTask(folders),
    environment,
    run: attempts.length === 0 ? null : { group: group.join('/'), attempt: Math.max(...attempts) },
  }
}

/** Removes the mark of an attempt from a segment; in a file name, the mark precedes the extension. */
function dropMark(segment: string, isFile: boolean): { name: string; attempt: number | null } {
  const dot = isFile ? segment.lastIndexOf('.') : -1
  const [stem, extension] = dot > 0 ? [segment.slice(0, dot), segment.slice(dot)] : [segment, '']
  const [, name = '', attempt] = attemptMark.exec(stem) ?? []
  if (attempt === undefined) return { name: segment, attempt: null }
  return { name: name === '' && !isFile ? '' : name + extension, attempt: Number(attempt) }
}

function findGradleTask(folders: string[]): string | null {
  const build = folders.lastIndexOf('build')
  if (build === -1) return null
  const module = folders.slice(0, build)
  const [kind, second, third, variant, flavor] = folders.slice(build + 1)
  const toPath = (task: string) => [...module, task].map((segment) => `:${segment}`).join('')
  if (kind === 'test-results' && second !== undefined) return toPath(second)
  if (kind !== 'outputs' || second !== 'androidTest-results' || third !== 'connected') return null
  const name = (variant === 'flavors' ? flavor : variant) ?? ''
  return toPath(`connected${name.slice(0, 1).toUpperCase()}${name.slice(1)}AndroidTest`)
}
