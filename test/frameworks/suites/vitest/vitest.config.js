export default {
  test: {
    include: ['*.test.js'],
    pool: 'forks',
    setupFiles: ['allure-vitest/setup'],
    reporters: [
      'default',
      ['junit', { outputFile: 'out/junit/junit.xml', addFileAttribute: true }],
      ['@d2t/vitest-ctrf-json-reporter', { outputDir: 'out/ctrf', outputFile: 'ctrf-report.json' }],
      ['allure-vitest/reporter', { resultsDir: 'out/allure/allure-results' }],
    ],
  },
}
