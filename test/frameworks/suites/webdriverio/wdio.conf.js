export const config = {
  runner: 'local',
  specs: ['./*.e2e.js'],
  maxInstances: 1,
  capabilities: [
    {
      browserName: 'chrome',
      'wdio:chromedriverOptions': { binary: process.env.CHROMEDRIVER },
      'goog:chromeOptions': { binary: process.env.CHROMIUM, args: ['--headless=new', '--no-sandbox', '--disable-gpu'] },
    },
  ],
  logLevel: 'error',
  framework: 'mocha',
  mochaOpts: { ui: 'bdd', timeout: 30_000 },
  connectionRetryTimeout: 20_000,
  connectionRetryCount: 0,
  reporters: [
    'spec',
    ['junit', { outputDir: 'out/junit', outputFileFormat: ({ cid }) => `junit-${cid}.xml` }],
    ['ctrf-json', { outputDir: 'out/ctrf', outputFile: 'ctrf-report.json' }],
    ['allure', { outputDir: 'out/allure/allure-results', disableWebdriverStepsReporting: true }],
  ],
}
