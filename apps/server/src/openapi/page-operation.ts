import { html, type Html } from '../html/html.ts'
import { toCurlLine } from './curl-line.ts'
import type { Document, Media, Operation, Parameter, Response } from './document.ts'
import { renderField, renderFields, renderType } from './page-schema.ts'
import { renderSample, renderText, toJsonText } from './page-text.ts'

export interface PlacedOperation {
  path: string
  method: string
  operation: Operation
}

const placeTitles = { path: 'Path', query: 'Query', header: 'Headers' } as const

/** Renders an operation, collapsed to its first line. */
export function renderOperation({ path, method, operation }: PlacedOperation, document: Document): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const answers = Object.entries(operation.responses)
  const server = document.servers?.[0]?.url ?? ''
  return html`<details id="${operationId}">
    <summary>
      <h3>
        <span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>
        <span class="title">${summary}</span>
      </h3>
    </summary>
    <div class="operation">
      <div>
        <p class="about">${renderText(description)}</p>
        ${Object.entries(placeTitles).map(([place, title]) =>
          renderParameters(
            title,
            parameters.filter((parameter) => parameter.in === place),
          ),
        )}
        ${requestBody && renderBody(requestBody.content)}
        <h4>Answers</h4>
        <ul class="fields">
          ${answers.map(([status, response]) => renderAnswer(status, resolve(response, document)))}
        </ul>
      </div>
      <div>
        ${renderSample('Request', toCurlLine(server, path, method, operation))}
        ${requestBody && renderJson('Body', requestBody.content)}
        ${answers.map(([status, response]) => renderAnswerSample(status, response))}
      </div>
    </div>
  </details>`
}

function renderParameters(title: string, parameters: Parameter[]): Html | undefined {
  if (parameters.length === 0) return undefined
  const fields = parameters.map(({ name, schema, required, description }) =>
    renderField({ name, schema, isRequired: required === true, description }),
  )
  return html`<h4>${title}</h4>
    <ul class="fields">
      ${fields}
    </ul>`
}

function renderBody(content: Record<string, Media>): Html {
  const types = Object.keys(content).map((type, index) => html`${index === 0 ? '' : ' or '}<code>${type}</code>`)
  const schema = Object.values(content)[0]?.schema ?? {}
  const fields = renderFields(schema)
  return html`<h4>Body</h4>
    <p>${types}${fields ? '' : html`: ${renderType(schema)}`}</p>
    ${schema.description === undefined ? '' : html`<p>${renderText(schema.description)}</p>`}${fields}`
}

function renderAnswer(status: string, { description, content = {} }: Response): Html {
  const [media] = Object.values(content)
  const isError = Number(status) >= 400
  const type = media?.schema && !isError ? html` <span class="type">${renderType(media.schema)}</span>` : ''
  return html`<li>
    <code>${status}</code>${type}
    <p>${renderText(description)}</p>
  </li>`
}

function renderAnswerSample(status: string, response: Response | { $ref: string }): Html | undefined {
  if (Number(status) >= 400 || !('content' in response) || !response.content) return undefined
  return renderJson(`Answer ${status}`, response.content)
}

function renderJson(title: string, content: Record<string, Media>): Html | undefined {
  const example = content['application/json']?.example
  return example === undefined ? undefined : renderSample(title, toJsonText(example))
}

function resolve(response: Response | { $ref: string }, { components }: Document): Response {
  if (!('$ref' in response)) return response
  const name = response.$ref.split('/').at(-1) ?? ''
  return components.responses?.[name] ?? { description: '' }
}
