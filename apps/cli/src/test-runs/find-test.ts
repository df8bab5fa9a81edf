import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import { toTestName } from './run-output.ts'

export type Test = Awaited<ReturnType<Client['tests']['get']>>

/** The most tests that are looked through for a name, and that an error lists. */
const maxFound = 200
const maxListed = 10

/** Finds a test of an application by its id, or by its name as `tests show` writes it. */
export async function requireTest(client: Client, applicationId: number, text: string): Promise<Test> {
  if (/^[1-9][0-9]{0,14}$/.test(text)) {
    const test = await client.tests.get(Number(text))
    if (test.applicationId === applicationId) return test
    throw new CliError('notFound', `The test ${text} belongs to another application`)
  }
  const name =
    text
      .replace(/[([].*$/, '')
      .split('.')
      .at(-1) ?? text
  const { items } = await client.tests.list(applicationId, { q: name.slice(0, 200), limit: maxFound })
  const found = items.filter((test) => toTestName(test) === text)
  const [test] = found
  if (test && found.length === 1) return test
  if (found.length > 1) {
    const ids = found.map(({ id, suite }) => `${id}${suite === null ? '' : ` (${suite})`}`)
    throw new CliError('usage', `Several tests have the name ${text}`, { fix: `Give the id: ${ids.join(', ')}` })
  }
  const near = items.slice(0, maxListed).map((one) => toTestName(one))
  throw new CliError('notFound', `No test has the name ${text}`, {
    fix: near.length === 0 ? undefined : `There are: ${near.join(', ')}`,
  })
}
