import { type ErrorCode, errorTable } from '@fairlead/contract'
import { separateHeads, simplifyComponents } from './components.ts'
import { errorsKey } from './describe-route.ts'
import type { Document, Operation } from './document.ts'
import { describeErrors } from './error-responses.ts'
import { addExamples } from './examples.ts'

const successWords: Record<string, string> = {
  200: 'The request succeeded',
  201: 'It was created',
  202: 'It was accepted and follows in the background',
  204: 'It was done, and the answer has no body',
  301: 'It moved to the address in `Location`',
}

const undescribed = 'Default Response'

/** Adds error responses and examples to the operations, and simplifies the named schemas. */
export function completeDocument(given: Document): Document {
  separateHeads(given)
  const operations = listOperations(given)
  const shared = new Set<ErrorCode>()
  for (const operation of operations) addErrors(operation, shared)
  given.components.responses = Object.fromEntries(
    [...shared].toSorted().flatMap((code) => Object.values(describeErrors([code])).map((one) => [code, one])),
  )
  const document = simplifyComponents(given)
  for (const operation of listOperations(document)) addExamples(operation, document.components.schemas)
  return document
}

function listOperations({ paths }: Document): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods))
}

/** The response of a status with only one possible error is a component that all operations share. */
function addErrors(operation: Operation & { [errorsKey]?: ErrorCode[] }, shared: Set<ErrorCode>): void {
  const codes = operation[errorsKey] ?? []
  delete operation[errorsKey]
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('description' in response && response.description === undescribed)
      response.description = successWords[status] ?? undescribed
  }
  const byStatus = Object.groupBy(codes, (code) => errorTable[code].status)
  for (const [status, [code, ...others] = []] of Object.entries(byStatus)) {
    if (code === undefined) continue
    if (others.length > 0) {
      Object.assign(operation.responses, describeErrors([code, ...others]))
      continue
    }
    shared.add(code)
    operation.responses[status] = { $ref: `#/components/responses/${code}` }
  }
}
