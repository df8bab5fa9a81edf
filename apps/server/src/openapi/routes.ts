import type { App } from '../http/app.ts'
import type { Document } from './document.ts'
import { type Download, pageHeaders, renderPage } from './page.ts'
import { prepareAnswer } from './prepared-answer.ts'

/** Adds the OpenAPI description and the page that shows it, with the command line that can be downloaded. */
export function addReferenceRoutes(app: App, cli: Download | undefined): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what `completeDocument` returned
  const describe = () => app.swagger() as object as Document
  const description = prepareAnswer('application/json; charset=utf-8', () => JSON.stringify(describe()))
  const page = prepareAnswer('text/html; charset=utf-8', () => renderPage(describe(), cli))

  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) => description.send(request, reply))
  for (const path of ['/docs', '/docs/']) {
    app.get(path, { schema: { hide: true } }, (request, reply) => page.send(request, reply.headers(pageHeaders)))
  }
}
