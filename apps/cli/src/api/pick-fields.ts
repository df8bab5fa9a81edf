import { CliError } from '../cli-error.ts'

type Step = { kind: 'each' } | { kind: 'at'; index: number } | { kind: 'key'; name: string }

/**
 * Picks values out of JSON by a path in the form of jq: `.id`, `.[].name`, `.groups[0].name`, `.["odd name"]`.
 * A field that is missing is null, as in jq. Throws `usage` for another form, and for a step into one without parts.
 */
export function pickFields(value: unknown, path: string): unknown[] {
  let values = [value]
  for (const step of parsePath(path)) values = values.flatMap((one) => take(one, step, path))
  return values
}

const stepPattern = /^(?:\.?\[(?:(\d{1,9})|("(?:[^"\\]|\\.)*"))?\]|\.([A-Za-z_][\w-]*))/

function parsePath(path: string): Step[] {
  const steps: Step[] = []
  let rest = path === '.' ? '' : path
  if (path === '') throw refuse(path)
  while (rest !== '') {
    const found = stepPattern.exec(rest)
    if (!found) throw refuse(path)
    const [whole, index, quoted, name] = found
    if (index !== undefined) steps.push({ kind: 'at', index: Number(index) })
    else if (quoted !== undefined) steps.push({ kind: 'key', name: String(JSON.parse(quoted)) })
    else if (name === undefined) steps.push({ kind: 'each' })
    else steps.push({ kind: 'key', name })
    rest = rest.slice(whole.length)
  }
  return steps
}

function take(value: unknown, step: Step, path: string): unknown[] {
  if (value === null) return step.kind === 'each' ? [] : [null]
  if (step.kind === 'key') {
    if (typeof value !== 'object' || Array.isArray(value)) throw mismatch(path, `.${step.name}`)
    const entry = Object.entries(value).find(([name]) => name === step.name)
    return [entry === undefined ? null : entry[1]]
  }
  if (!Array.isArray(value)) throw mismatch(path, step.kind === 'each' ? '[]' : `[${step.index}]`)
  const items: unknown[] = value
  return step.kind === 'each' ? items : [items[step.index] ?? null]
}

function refuse(path: string): CliError {
  return new CliError('usage', `${JSON.stringify(path)} is not a path such as .[].name`)
}

function mismatch(path: string, part: string): CliError {
  return new CliError('usage', `The answer has no ${part} where ${JSON.stringify(path)} asks for it`)
}
