import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { refuseCycles } from './refuse-cycles.ts'

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

/**
 * The modules of `start`. It must not import the app, so it has every module that it needs, even that of dynamic
 * imports.
 */
const start = new RegExp(
  [
    'preload-helper',
    'packages[\\\\/]client[\\\\/]',
    'src[\\\\/](?:early|first-pages)[\\\\/]',
    'src[\\\\/](?:start|ui[\\\\/](?:format|rates)|test-runs[\\\\/](?:search|test-name))\\.ts$',
    'src[\\\\/]crashes[\\\\/](?:release-(?:order|text)|stability-(?:days|releases))\\.ts$',
  ].join('|'),
)

/** Libraries of menus and dialogs. */
const overlays = new RegExp(
  [
    'node_modules[\\\\/]@?(?:floating-ui|get-nonce|react-remove-scroll|react-style-singleton|tslib)',
    'node_modules[\\\\/]use-(?:callback-ref|sidecar)',
    'core[\\\\/]esm[\\\\/]utils[\\\\/]Floating',
    'use-mantine-color-scheme',
    'components[\\\\/](?:Menu|Popover|ScrollArea|Combobox|Select|Modal|ModalBase|Drawer)[\\\\/](?!utils)',
  ].join('|'),
)

/** The stacks of crashes and failures, with their source lines. */
const threads = /[\\/]symbols[\\/](?:CrashThread|SourceView|frame-origin|crash-thread|source-view)/

export default defineConfig({
  plugins: [react(), runStartFirst, refuseCycles],
  // Browsers know all named characters of HTML, so the Markdown parser needs no table of its own (10 kB compressed).
  resolve: { alias: { entities: new URL('src/ui/entities.ts', import.meta.url).pathname } },
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
              test: start,
              priority: 9,
            },
            { name: 'app', tags: ['$initial'], priority: 8 },
            // The QR code is on the build's page, which must not wait for the scripts that dialogs share.
            { name: 'qr-code', test: /QrCode|qr-code|[\\/]uqr[\\/]/, priority: 7 },
            // Scripts of forms, menus and dialogs have files of their own, so that lists load less. A file imports only
            // from those above it: the browser cannot run two files that need each other first.
            { name: 'contract', test: /[\\/]zod[\\/]|[\\/]packages[\\/]contract[\\/]/, priority: 6 },
            { name: 'forms', test: /@mantine[\\/]form|klona|fast-deep-equal/, priority: 6 },
            { name: 'overlays', test: overlays, priority: 5 },
            {
              name: 'inputs',
              test: /[\\/](?:Checkbox|FloatingIndicator|SegmentedControl|Switch|Textarea)[\\/]/,
              priority: 4,
            },
            { name: 'passwords', test: /PasswordInput|PasswordFields/, minShareCount: 2, priority: 4 },
            // A widget of one page lies in the file of that page.
            { name: 'widgets', test: /@mantine[\\/](?:core|hooks)[\\/]|lucide/, minShareCount: 2, priority: 3 },
            // The script that all pages share must not import menus, so this menu of several pages has its own script.
            { name: 'choice-menu', test: /[\\/]ui[\\/]ChoiceMenu/, priority: 2 },
            // Charts come after the numbers that they draw.
            {
              name: 'charts',
              test: /[\\/]src[\\/]charts[\\/]|@visx[\\/]|[\\/](?:d3-|classnames|internmap)/,
              priority: 2,
            },
            // Scripts that only some pages share have files of their own, so that other pages stay small. The list of
            // results has switches, which the page of a test does without.
            { name: 'result-list', test: /[\\/]test-runs[\\/]ResultList/, minShareCount: 2, priority: 3 },
            { name: 'tests', test: /[\\/]src[\\/](?:test-runs|verdicts)[\\/]/, minShareCount: 2, priority: 2 },
            {
              name: 'crashes',
              test: /[\\/]src[\\/](?:crashes|symbols)[\\/]/,
              minShareCount: 2,
              priority: 2,
            },
            // The page of a test shows stacks and suspects, and the list of crashes neither.
            { name: 'threads', test: threads, minShareCount: 2, priority: 3 },
            { name: 'explanations', test: /[\\/]src[\\/]explanations[\\/]/, minShareCount: 2, priority: 2 },
            // The finder and its keys are loaded together when the page is idle.
            { name: 'finder', test: /[\\/]src[\\/]finder[\\/]/, priority: 2 },
            { name: 'hooks', test: /[\\/]src[\\/](?:hooks|alerts)[\\/]/, minShareCount: 2, priority: 2 },
            { name: 'feedback', test: /[\\/]src[\\/]feedback[\\/]/, minShareCount: 2, priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': server, '/v2': server, '/install': server, '/docs': server } },
})
