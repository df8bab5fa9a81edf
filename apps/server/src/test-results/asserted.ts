/**
 * Tells two failed assertions of one group apart. A group leaves numbers, quotations and lines out, because they
 * change from run to run. But two assertions of one test often have the same words: `expected: <3> but was: <4>`. They
 * are taken for different ones when both their lines and all their values differ.
 */
import { blankedParts } from '@fairlead/crashes'
import { isAssertion } from './assertion.ts'
import { type FailureText, findOwnFrames, toHead } from './group-key.ts'

export interface Asserted {
  /** The lines of the first frames outside of libraries, innermost first. */
  lines: number[]
  /** The numbers and quotations of the message, in their order. */
  values: string[]
}

const maxValues = 20
const maxValueLength = 100
/** The place before each line of a test of Go, whose failures hold no words of an assertion library. */
const goPlace = /^[ \t]*[\w./\\+-]+_test\.go:\d+: /m
const maxText = 16 * 1024

/** The lines and values of a failed assertion; null for an exception. */
export function toAsserted(failure: FailureText): Asserted | null {
  const text = (failure.details ?? failure.message ?? '').slice(0, maxText)
  if (!isAssertion(failure) && !goPlace.test(text)) return null
  const lines = findOwnFrames(text).flatMap(({ line }) => line ?? [])
  const values = blankedParts(toHead(failure)).slice(0, maxValues)
  return { lines, values: values.map((value) => value.slice(0, maxValueLength)) }
}

/** Whether two failed assertions of one group stand at different lines and have no value in common. */
export function areOtherAssertions(one: Asserted | null, other: Asserted | null): boolean {
  if (one === null || other === null || one.lines.length === 0 || other.lines.length === 0) return false
  if (one.values.length === 0 || other.values.length === 0) return false
  return one.lines.join(' ') !== other.lines.join(' ') && !shareValue(one, other)
}

/** Whether two failures of one group have a value in common, or none at all. */
export function shareValue(one: Asserted | null, other: Asserted | null): boolean {
  if (one === null || other === null || (one.values.length === 0 && other.values.length === 0)) return true
  return one.values.some((value, index) => value === other.values[index])
}
