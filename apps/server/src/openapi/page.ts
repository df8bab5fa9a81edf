import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, Html } from '../html/html.ts'
import type { Document, Schema } from './document.ts'
import { createExample } from './examples.ts'
import { type PlacedOperation, renderOperation } from './page-operation.ts'
import { renderFields, renderType } from './page-schema.ts'
import { renderSample, renderText, toJsonText } from './page-text.ts'

const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8').replace(/\s+/g, ' ')
const script = readFileSync(join(import.meta.dirname, 'page-search.js'), 'utf8')

/** Allows the page its own style and script, and the file that reads the chosen color scheme; nothing else. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'content-security-policy': [
    "default-src 'none'",
    "img-src 'self'",
    `style-src ${toSource(style)}`,
    `script-src 'self' ${toSource(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

function toSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** A file that the page offers, with its digest. */
export interface Download {
  fileName: string
  sha256: string
}

/** Renders the whole description of the API as one page. */
export function renderPage(document: Document, cli?: Download): string {
  const { info, tags = [], components } = document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = tags.map((tag) => ({
    ...tag,
    id: `tag-${tag.name.toLowerCase().replace(/\W+/g, '-')}`,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const schemas = Object.entries(components.schemas).toSorted(([a], [b]) => a.localeCompare(b))
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API reference · Fairlead</title>
        <link rel="icon" href="/mark.svg" type="image/svg+xml" />
        <script src="/color-scheme.js"></script>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <header>
          <a href="/" class="brand"><img src="/mark.svg" alt="" width="26" height="26" />Fairlead</a>
          <label class="search"
            ><span>Search</span><input type="search" id="search" placeholder="Path, name or word"
          /></label>
        </header>
        <div class="columns">
          <nav aria-label="Sections">
            <ul>
              ${groups.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}
              <li><a href="#schemas">Schemas</a></li>
            </ul>
          </nav>
          <main>
            <h1>API reference</h1>
            ${(info.description ?? '').split('\n\n').map((paragraph) => html`<p>${renderText(paragraph)}</p>`)}
            <p>Version ${info.version}. <a href="/openapi.json">OpenAPI description</a> for generators of clients.</p>
            ${cli ? renderDownload(cli) : ''}
            <p id="found" role="status"></p>
            ${groups.map((group) => renderGroup(group, document))}
            <section id="schemas">
              <h2>Schemas</h2>
              ${schemas.map(([name, schema]) => renderSchema(name, schema, components.schemas))}
            </section>
          </main>
        </div>
        ${new Html(`<script>${script}</script>`)}
      </body>
    </html>`
  return removeIndentation(page.toString())
}

/** Removes the indentation of the templates, a seventh of the page, but not that of the examples in `<pre>`. */
function removeIndentation(text: string): string {
  return text.replaceAll(/(<pre[\s\S]*?<\/pre>|<script>[\s\S]*?<\/script>)|\n\s+/g, (_, kept?: string) => kept ?? '\n')
}

function renderDownload({ fileName, sha256 }: Download): Html {
  return html`<p>
    Command line: <a href="/cli/${fileName}">${fileName}</a>, SHA-256 <code class="digest">${sha256}</code>.
  </p>`
}

interface Group {
  id: string
  name: string
  description?: string
  operations: PlacedOperation[]
}

function renderGroup({ id, name, description = '', operations }: Group, document: Document): Html {
  return html`<section id="${id}">
    <h2>${name}</h2>
    <p>${renderText(description)}.</p>
    ${operations.map((operation) => renderOperation(operation, document))}
  </section>`
}

function renderSchema(name: string, schema: Schema, schemas: Record<string, Schema>): Html {
  return html`<details id="schema-${name}">
    <summary><h3>${name}</h3></summary>
    <div class="operation">
      <div>
        ${schema.description === undefined ? '' : html`<p>${renderText(schema.description)}</p>`}
        ${renderFields(schema) ?? html`<p>${renderType(schema)}</p>`}
      </div>
      <div>${renderSample('Example', toJsonText(createExample(schema, schemas)))}</div>
    </div>
  </details>`
}
