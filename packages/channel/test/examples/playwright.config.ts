import { tmpdir } from 'node:os'
import { defineConfig } from '@playwright/test'
import { chromiumPath } from '../required-tool.ts'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '*.spec.ts',
  outputDir: `${tmpdir()}/fairlead-playwright`,
  reporter: 'line',
  workers: 1,
  use: { launchOptions: { executablePath: chromiumPath, args } },
})
