export default {
  testMatch: ['**/*.test.js'],
  transform: {},
  reporters: [
    'default',
    ['jest-junit', { outputDirectory: 'out/junit', addFileAttribute: 'true' }],
    [
      'jest-junit',
      {
        outputDirectory: 'out/junit-suite-errors',
        reportTestSuiteErrors: 'true',
        classNameTemplate: '{classname}',
        titleTemplate: '{title}',
        addFileAttribute: 'true',
      },
    ],
    ['jest-ctrf-json-reporter', { outputDir: 'out/ctrf' }],
  ],
  testEnvironment: 'allure-jest/node',
  testEnvironmentOptions: { resultsDir: 'out/allure/allure-results' },
}
