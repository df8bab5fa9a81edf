import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env['DASHBOARD_SERVER'] ?? 'http://localhost:8080'

/** Has the page ask for its font at once, so that no text is drawn twice. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml(_html, { bundle = {} }) {
    const file = Object.keys(bundle).find((name) => /inter-latin-wght-normal-[^/]*\.woff2$/.test(name))
    if (file === undefined) return []
    const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true }
    return [{ tag: 'link', attrs, injectTo: 'head' }]
  },
}

export default defineConfig({
  plugins: [react(), preloadFont],
  build: {
    // light-dark() stays as it is: what it is turned into for older browsers does not follow the chosen scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing inline: the content security policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/v1': server, '/v2': server, '/install': server, '/docs': server } },
})
