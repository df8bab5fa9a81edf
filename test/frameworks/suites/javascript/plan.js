import { readFileSync } from 'node:fs'

const { broken } = JSON.parse(readFileSync(new URL('plan.json', import.meta.url), 'utf8'))

/** Whether a test is to fail at the commit that is being tested. */
export function isBroken(name) {
  return broken[name].includes(process.env.STEP)
}

const tried = new Set()

/** Whether a test is to fail now, because it is to fail in its first attempt only. */
export function isBrokenAtFirst(name, attempt) {
  const isFirst = attempt === undefined ? !tried.has(name) : attempt === 0
  tried.add(name)
  return isFirst && isBroken(name)
}
