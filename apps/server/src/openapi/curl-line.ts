import type { Operation, Parameter } from './document.ts'
import { toPlainText } from './page-text.ts'

/** Makes the command line that calls an operation with its examples. */
export function toCurlLine(server: string, path: string, method: string, operation: Operation): string {
  const { parameters = [], requestBody } = operation
  const options = [
    ...(method === 'get' ? [] : [method === 'head' ? '--head' : `-X ${method.toUpperCase()}`]),
    ...listCredentials(method, operation),
    ...parameters
      .filter(isSent('header'))
      .map(({ name, example }) => `-H ${quote(`${name}: ${toPlainText(example)}`)}`),
    ...(requestBody ? describeBody(requestBody.content) : []),
  ]
  return ['curl', ...options, quote(server + fillPath(path, parameters))]
    .join(' \\\n  ')
    .replace('curl \\\n  ', 'curl ')
}

function isSent(place: Parameter['in']) {
  return (parameter: Parameter) => parameter.in === place && parameter.required === true
}

function listCredentials(method: string, { security }: Operation): string[] {
  if (security?.length === 0) return []
  const isSessionOnly = security !== undefined && security.every((one) => 'session' in one)
  if (!isSessionOnly) return ['-H "X-Service-Token: $FAIRLEAD_TOKEN"']
  const cookie = '-b "fairlead_session=$SESSION"'
  return method === 'get' ? [cookie] : [cookie, '-H "X-CSRF-Token: $CSRF_TOKEN"']
}

function describeBody(content: NonNullable<Operation['requestBody']>['content']): string[] {
  const json = content['application/json']
  if (json?.example !== undefined) return [`--json ${quote(JSON.stringify(json.example))}`]
  const [type = 'application/octet-stream'] = Object.keys(content)
  return [`-H 'Content-Type: ${type}'`, '--data-binary @FILE']
}

function fillPath(path: string, parameters: Parameter[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const example = parameters.find((parameter) => parameter.name === name)?.example
    return example === undefined ? placeholder : encodeURIComponent(toPlainText(example))
  })
  const query = parameters.filter(isSent('query')).map(({ name, example }) => [name, toPlainText(example)])
  return query.length === 0 ? filled : `${filled}?${String(new URLSearchParams(query))}`
}

/** Quotes for POSIX shells. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
