import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env['DASHBOARD_SERVER'] ?? 'http://localhost:8080'

/** Preloads the font, so that text does not change its look after it has loaded. */
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
    // Keeps light-dark() in CSS, because its fallback for older browsers ignores the chosen color scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlines nothing, because the Content Security Policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/v1': server, '/v2': server, '/install': server, '/docs': server } },
})
