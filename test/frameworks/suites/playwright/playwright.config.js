export default {
  testDir: '.',
  testMatch: '*.spec.js',
  retries: 1,
  workers: 1,
  timeout: 20_000,
  use: { browserName: 'chromium', launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
  projects: [{ name: 'desktop' }, { name: 'phone', use: { viewport: { width: 390, height: 844 } }, grep: /cart/ }],
  reporter: [
    ['line'],
    ['junit', { outputFile: 'out/junit/junit.xml' }],
    ['junit', { outputFile: 'out/junit-retries/junit.xml', includeRetries: true }],
    ['playwright-ctrf-json-reporter', { outputDir: 'out/ctrf', outputFile: 'ctrf-report.json' }],
    ['allure-playwright', { resultsDir: 'out/allure/allure-results' }],
  ],
}
