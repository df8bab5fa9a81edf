import type { Place } from '../report.ts'

const maxScanned = 16 * 1024
const javaFrame = /\bat ([\w.$<>/]+)\(([\w$-]+\.(?:java|kt|kts|scala|groovy)):(\d{1,7})\)/g
const scriptFrame =
  /\bat (?:[^\n()]{0,300} )?\(?((?:file:\/\/|[A-Za-z]:)?[^\s():]{1,300}\.[cm]?[jt]sx?):(\d{1,7}):\d{1,7}\)?/g
const sources = 'swift|m|mm|py|rb|go|rs|php|dart|cs|c|cc|cpp|h|hpp|kt|java|ya?ml|feature'
const pathWithLine = new RegExp(
  String.raw`(?:^|[\s("'])((?:[A-Za-z]:)?[\w./\\+~@-]{0,300}[\w+-]\.(?:${sources})):(\d{1,7})\b`,
  'm',
)
const pythonFrame = /File "([^"\n]{1,300})", line (\d{1,7})/g
const javaLibraries =
  /^(?:javax?|jdk|sun|kotlin|androidx?|junit|org\.(?:junit|hamcrest|testng|mockito)|com\.android|dalvik)\b/
const foreign = /node_modules|node:internal|\(internal\/|site-packages/

/**
 * Finds the line of source that a failure's text names: the first frame of the test's class, or else the first frame
 * that is not in a library; null if the text names none.
 */
export function findPlace(text: string, className: string | null): Place | null {
  const scanned = text.slice(0, maxScanned)
  const java = findJavaPlace(scanned, className)
  if (java) return java
  for (const [, file = '', line = ''] of scanned.matchAll(scriptFrame)) {
    if (!foreign.test(file) && !file.startsWith('node:')) return toPlace(file, line)
  }
  const python = [...scanned.matchAll(pythonFrame)].findLast(([, file = '']) => !foreign.test(file))
  if (python) return toPlace(python[1] ?? '', python[2] ?? '')
  const path = pathWithLine.exec(scanned)
  return path ? toPlace((path[1] ?? '').trim(), path[2] ?? '') : null
}

function findJavaPlace(text: string, className: string | null): Place | null {
  let first: Place | null = null
  let own: Place | null = null
  for (const [, method = '', file = '', line = ''] of text.matchAll(javaFrame)) {
    if (className !== null && method.startsWith(`${className}.`)) return toPlace(file, line)
    first ??= toPlace(file, line)
    if (!own && !isJavaLibrary(method)) own = toPlace(file, line)
  }
  return own ?? first
}

function isJavaLibrary(method: string): boolean {
  return javaLibraries.test(method)
}

function toPlace(file: string, line: string): Place {
  return { file: file.slice(0, 1000), line: Number(line) }
}
