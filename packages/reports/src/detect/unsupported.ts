import { ReportsError } from '../reports-error.ts'

/** Formats that are recognized but not supported, with the setting that makes the tool write a supported one. */
export interface Unsupported {
  name: string
  advice: string
}

const nunit = {
  name: 'NUnit XML',
  advice: 'Run "dotnet test --logger junit" (package JunitXml.TestLogger) to write JUnit XML.',
}
const xunit = {
  name: 'xUnit.net XML',
  advice: 'Run xUnit with "-junit results.xml", or "dotnet test --logger junit", to write JUnit XML.',
}

/** XML formats by the name of their root element. */
export const unsupportedXml: Record<string, Unsupported | undefined> = Object.assign(Object.create(null), {
  TestRun: {
    name: 'a TRX file',
    advice: 'Run "dotnet test --logger junit" (package JunitXml.TestLogger) to write JUnit XML.',
  },
  'test-run': nunit,
  'test-results': nunit,
  assemblies: xunit,
  assembly: xunit,
  'testng-results': {
    name: 'TestNG XML',
    advice: 'TestNG writes JUnit XML as well: upload test-output/junitreports.',
  },
})

/** The output of Go's own test command. */
export const goTestOutput: Unsupported = {
  name: 'the output of "go test -json"',
  advice:
    'Run "gotestsum --junitfile results.xml", or pipe it to "go-junit-report -parser gojson", to write JUnit XML.',
}

/** What Go's own test command writes for people, with and without `-v`. */
export const goTestLog: Unsupported = {
  name: 'the output of "go test"',
  advice:
    'Run "gotestsum --junitfile results.xml", or pipe "go test -v" to "go-junit-report > results.xml", ' +
    'to write JUnit XML.',
}

/** JSON formats of single tools. */
export function findUnsupportedJson(value: object): Unsupported | undefined {
  if ('testResults' in value && 'numTotalTests' in value) {
    return {
      name: "Jest's own JSON",
      advice: 'Add the reporter jest-junit to write JUnit XML, or jest-ctrf-json-reporter to write CTRF.',
    }
  }
  if ('suites' in value && ('config' in value || 'errors' in value)) {
    return {
      name: "Playwright's own JSON",
      advice: 'Set reporter: [["junit", { outputFile: "results.xml" }]], or playwright-ctrf-json-reporter for CTRF.',
    }
  }
  return undefined
}

export function toUnsupportedError({ name, advice }: Unsupported, source: string): ReportsError {
  return new ReportsError('unsupported-report', `It is ${name}. ${advice}`, { source })
}
