/**
 * The arguments by which a test runner runs some tests again, one argument an entry:
 *
 *     gradle       --tests=shop.CartTest.removes
 *     xcodebuild   -only-testing:ShopTests/CartTests/testRemoves
 *     playwright   cart.spec.ts, and --grep= with the titles of all
 *     jest         --runTestsByPath and the files, and --testNamePattern= with the names of all
 *     pytest       tests/test_cart.py::TestCart::test_removes
 *
 * Reports lack some of what a runner wants. Where a name does not suffice, the next larger unit runs: the class or the
 * file. Two tests that share a title in the files of others run both.
 */
import type { TestResult } from '@fairlead/client'

export type FailedTest = Pick<TestResult, 'suite' | 'class' | 'name' | 'parameters' | 'file'>

export const runners = ['gradle', 'xcodebuild', 'playwright', 'jest', 'pytest'] as const
export type Runner = (typeof runners)[number]

/** Whether there is a file at a path from the current folder. */
export type IsFile = (path: string) => boolean

/** Returns the arguments of a runner, each once; none if no test is given. */
export function toRerunArguments(runner: Runner, tests: readonly FailedTest[], isFile: IsFile): string[] {
  return [...new Set(writers[runner](tests, isFile))]
}

const writers: Record<Runner, (tests: readonly FailedTest[], isFile: IsFile) => string[]> = {
  gradle: (tests) => tests.map(toGradleFilter),
  xcodebuild: (tests) => tests.map(toXcodeFilter),
  // Playwright puts the tags of a test behind its title.
  playwright: (tests) =>
    toPatterns(tests, {
      file: toPlaywrightFile,
      option: '--grep',
      title: toPlaywrightTitle,
      end: String.raw`(?: @\S+)*$`,
    }),
  jest: (tests) => {
    const rule = { option: '--testNamePattern', end: '$' }
    const words = toPatterns(tests, { file: ({ file }) => file, title: ({ name }) => name, ...rule })
    return words.some((word) => !word.startsWith('--')) ? ['--runTestsByPath', ...words] : words
  },
  pytest: (tests, isFile) => tests.map((test) => toPytestId(test, isFile)),
}

/** A name without the parentheses and parameters that follow the name of a method. */
function toMethod(name: string): string {
  return name.replace(/[([].*$/s, '').trim()
}

function toGradleFilter({ class: className, suite, name }: FailedTest): string {
  const owner = className ?? suite ?? ''
  const method = toMethod(name)
  // A display name is no name of a method; an asterisk is a wildcard of the filter.
  const isMethod = method !== '' && !/[*.#]/.test(method)
  return `--tests=${[owner, isMethod ? method : '*'].filter((part) => part !== '').join('.')}`
}

/** The suite is the bundle of the tests; without it, xcodebuild is given class and method. */
function toXcodeFilter({ suite, class: className, name }: FailedTest): string {
  const parts = [suite, ...(className ?? '').split(/[./]/), toMethod(name)]
  return `-only-testing:${parts.filter((part, at) => part !== '' && part !== null && part !== parts[at - 1]).join('/')}`
}

interface PatternRule {
  file: (test: FailedTest) => string | null
  option: string
  title: (test: FailedTest) => string
  /** The pattern of what follows a title. */
  end: string
}

/** The files of tests, and one pattern of all titles; a test whose file is unknown makes the runner look in all. */
function toPatterns(tests: readonly FailedTest[], { file, option, title, end }: PatternRule): string[] {
  if (tests.length === 0) return []
  const files = tests.map(file)
  const known = files.every((path) => path !== null && path !== '') ? files.filter((path) => path !== null) : []
  const titles = [...new Set(tests.map((test) => escapePattern(title(test))))]
  return [...new Set(known), `${option}=(?:${titles.join('|')})${end}`]
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** JUnit reports of Playwright name the file as suite and class, CTRF as the file. */
function toPlaywrightFile({ file, class: className, suite }: FailedTest): string | null {
  return file ?? [className, suite].find((name) => name !== null && /\.[cm]?[jt]sx?$/.test(name)) ?? null
}

/** Playwright compares its pattern with the titles of the groups and the test, joined by spaces. */
function toPlaywrightTitle({ name, parameters }: FailedTest): string {
  return `${name}${parameters ?? ''}`.split(/ [›>] /).join(' ')
}

/** `tests.test_cart.TestCart` → `tests/test_cart.py::TestCart`, by the longest part that is a file. */
function toPytestId({ file, class: className, name, parameters }: FailedTest, isFile: IsFile): string {
  const end = `${name}${parameters ?? ''}`
  const parts = (className ?? '').split('.').filter((part) => part !== '')
  for (let length = parts.length; length > 0; length--) {
    const path = `${parts.slice(0, length).join('/')}.py`
    if (file === path || isFile(path)) return [path, ...parts.slice(length), end].join('::')
  }
  if (file !== null) return file
  const isModule = (part: string) => /^[a-z_]/.test(part)
  const count = parts.findLastIndex(isModule) + 1
  return [`${parts.slice(0, count).join('/')}.py`, ...parts.slice(count), end].join('::')
}
