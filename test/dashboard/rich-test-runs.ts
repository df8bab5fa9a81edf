/** The runs of tests of the rich workspace. */
import type { Build, TestReport } from '@fairlead/contract'
import type { Call } from './rich-call.ts'

export const runCount = 31

/** Sends a report for each of the newest builds of the first application, and returns the numbers of the runs. */
export async function sendTestRuns(call: Call, newest: Build[]): Promise<number[]> {
  const runs: number[] = []
  for (let run = 0; run < runCount; run++) {
    const cases = Array.from({ length: 120 }, (_, index) => {
      const suite = [
        'com.example.lighthouse.chart.ChartLoaderTest',
        'com.example.lighthouse.pay.PaymentSheetTest',
        'com.example.lighthouse.TideTableTest',
      ][index % 3]!
      const name =
        index === 5
          ? 'draws the tide table in two zones when the harbor has two clocks and the device is set to a third one'
          : `case ${index} keeps the chart of harbor ${index * 7}`
      const start = `<testcase classname="${suite}" name="${name}" time="${(0.05 * (index + 1)).toFixed(2)}">`
      const fails = (index === 3 && run >= 24) || (index === 5 && run === 30) || (index === 40 && run % 7 === 6)
      if (fails) {
        const message = 'expected:&lt;14:05&gt; but was:&lt;15:05&gt; in the table of Antwerp, which has two clocks'
        const trace =
          'java.lang.AssertionError: expected\n' +
          `\tat com.example.lighthouse.TideTableTest.draws(TideTableTest.kt:${41 + index})\n` +
          '\tat org.junit.Runner.run(Runner.java:99)'
        return `${start}<failure type="java.lang.AssertionError" message="${message}">${trace}</failure></testcase>`
      }
      if (index === 7 && run % 3 === 0) return `${start}<flakyFailure message="timed out" type="Timeout"/></testcase>`
      return `${start}${index === 9 ? '<skipped/>' : ''}</testcase>`
    })
    const report = `<testsuite name="connectedDebugAndroidTest">${cases.join('\n')}</testsuite>`
    const build = newest[Math.min(newest.length - 1, 9 + run)]!
    const { run: sent } = await call<TestReport>('POST', '/v1/testReports', report, {
      'X-Service-Application-Alias': 'lighthouse',
      'X-Service-Branch': run % 5 === 4 ? 'feature/offline-charts' : 'main',
      'X-Service-Commit': String(run + 9)
        .padStart(2, '0')
        .repeat(20),
      'X-Service-Run-Key': `nightly ${4100 + run}`,
      'X-Service-Build-Id': String(build.id),
      'X-Service-CI-Url': `https://ci.example.com/harbor/lighthouse/runs/${run}`,
    })
    runs.push(sent.id)
    if (run !== 29) await call('POST', `/v1/testRuns/${sent.id}/complete`, {})
  }
  return runs
}
