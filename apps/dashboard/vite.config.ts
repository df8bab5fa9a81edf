import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env['FAIRLEAD_DEV_SERVER'] ?? 'http://localhost:8080'

export default defineConfig({
  plugins: [react()],
  build: {
    // Nothing inline: the content security policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/v1': server, '/v2': server, '/install': server, '/docs': server } },
})
