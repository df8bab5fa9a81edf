import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env['DASHBOARD_SERVER'] ?? 'http://localhost:8080'

/**
 * Runs the small `start` chunk as soon as it is loaded, while the other scripts are still loading. It has a script
 * element of its own, because an import of the main script would run only after all other imports were loaded.
 */
const runStartFirst: Plugin = {
  name: 'run-start-first',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => /\/start-[^/]*\.js$/.test(name))
      if (file === undefined) return html
      // A stylesheet at the end of the body does not delay the first paint of the plain lists. The main script still
      // waits for it.
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
        // There are few files, because on a slow network each costs a round trip: one with the scripts of the first
        // page, and one with those that several later pages and dialogs share.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'start',
              test: /[\\/]src[\\/]start\.ts$|[\\/]src[\\/]early[\\/]|[\\/]packages[\\/]client[\\/]/,
              priority: 3,
            },
            { name: 'app', tags: ['$initial'], priority: 2 },
            // The QR code is on the build's page, which must not wait for the scripts that dialogs share.
            { name: 'qr-code', test: /QrCode|qr-code|[\\/]uqr[\\/]/, priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': server, '/v2': server, '/install': server, '/docs': server } },
})
