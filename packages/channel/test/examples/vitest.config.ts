import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['*.vitest.ts'], root: import.meta.dirname } })
