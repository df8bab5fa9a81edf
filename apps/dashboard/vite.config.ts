import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env['DASHBOARD_SERVER'] ?? 'http://localhost:8080'

/**
 * Runs the small `start` chunk as soon as it has arrived, while the rest is still on its way. A script of its own does
 * that; as a mere import of the main script it would run only after everything else was loaded.
 */
const runStartFirst: Plugin = {
  name: 'run-start-first',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => /\/start-[^/]*\.js$/.test(name))
      if (file === undefined) return html
      // Below the first look, the stylesheet does not hold up its first paint. The main script still waits for it.
      const [stylesheet = ''] = /\s*<link rel="stylesheet"[^>]*>/.exec(html) ?? []
      const page = html
        .replace(new RegExp(`\\s*<link rel="modulepreload"[^>]*${file}">`), '')
        .replace(stylesheet, '')
        .replace(/\n\s*<\/body>/, `${stylesheet}$&`)
      const attrs = { type: 'module', async: true, crossorigin: true, src: `/${file}` }
      return { html: page, tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }] }
    },
  },
}

export default defineConfig({
  plugins: [react(), runStartFirst],
  build: {
    // light-dark() stays as it is: its translation for older browsers does not follow the chosen colour scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Few files: on a slow network each one costs a round trip. What the first page needs is one file, what several
        // later pages and dialogs share is another.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'start',
              test: /[\\/]src[\\/]start\.ts$|[\\/]src[\\/]early[\\/]|[\\/]packages[\\/]client[\\/]/,
              priority: 3,
            },
            { name: 'app', tags: ['$initial'], priority: 2 },
            // The QR code is on the build's page, which must not wait for what dialogs share.
            { name: 'qr-code', test: /QrCode|qr-code|[\\/]uqr[\\/]/, priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': server, '/v2': server, '/install': server, '/docs': server } },
})
