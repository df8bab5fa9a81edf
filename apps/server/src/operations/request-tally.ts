import { outOfRange } from '@fairlead/invariant'

/** The upper bounds of the histogram's buckets, in seconds. */
const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600]

/** The answers of one route and method with one status. */
interface Series {
  count: number
  /** The sum of their durations, in seconds. */
  sum: number
  /** Answers per bucket, not cumulative; the last bucket is for those above every bound. */
  buckets: number[]
}

interface RouteTally {
  inFlight: number
  byStatus: Map<number, Series>
}

export interface RequestTally {
  begin(method: string, route: string): void
  end(method: string, route: string, status: number, seconds: number): void
  /** The series in the text format of Prometheus. */
  toText(): string
}

/**
 * Counts and times requests. prom-client sorts and joins the labels at each observation, which costs more than an
 * answer from memory, so labels are only written when the series are read. Methods and routes come from the route
 * table, so the number of series is limited.
 */
export function createRequestTally(): RequestTally {
  const methods = new Map<string, Map<string, RouteTally>>()

  const findTally = (method: string, route: string): RouteTally => {
    const routes = methods.get(method) ?? new Map<string, RouteTally>()
    if (routes.size === 0) methods.set(method, routes)
    const known = routes.get(route)
    if (known) return known
    const added = { inFlight: 0, byStatus: new Map<number, Series>() }
    routes.set(route, added)
    return added
  }

  return {
    begin(method, route) {
      findTally(method, route).inFlight++
    },
    end(method, route, status, seconds) {
      const tally = findTally(method, route)
      tally.inFlight--
      const known = tally.byStatus.get(status)
      const series = known ?? { count: 0, sum: 0, buckets: [0, ...bounds.map(() => 0)] }
      if (!known) tally.byStatus.set(status, series)
      series.count++
      series.sum += seconds
      let bucket = 0
      while (seconds > (bounds[bucket] ?? Infinity)) bucket++
      series.buckets[bucket] = (series.buckets[bucket] ?? outOfRange()) + 1
    },
    toText: () => renderTally(methods),
  }
}

function renderTally(methods: Map<string, Map<string, RouteTally>>): string {
  const total = describe('fairlead_http_requests_total', 'counter', 'Requests answered')
  const durations = describe(
    'fairlead_http_request_duration_seconds',
    'histogram',
    'From the first line of the request to the last byte of the answer',
  )
  const inFlight = describe(
    'fairlead_http_requests_in_flight',
    'gauge',
    'Requests that are being answered, among them uploads and downloads under way',
  )
  for (const [method, routes] of methods) {
    for (const [route, tally] of routes) {
      const of = `method="${escapeLabel(method)}",route="${escapeLabel(route)}"`
      inFlight.push(`fairlead_http_requests_in_flight{${of}} ${tally.inFlight}`)
      for (const [status, series] of tally.byStatus) {
        const labels = `${of},status="${status}"`
        total.push(`fairlead_http_requests_total{${labels}} ${series.count}`)
        durations.push(...renderHistogram('fairlead_http_request_duration_seconds', labels, series))
      }
    }
  }
  return [...total, ...durations, ...inFlight, ''].join('\n')
}

function describe(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function renderHistogram(name: string, labels: string, { count, sum, buckets }: Series): string[] {
  let below = 0
  const lines = bounds.map((bound, index) => {
    below += buckets[index] ?? outOfRange()
    return `${name}_bucket{le="${bound}",${labels}} ${below}`
  })
  return [
    ...lines,
    `${name}_bucket{le="+Inf",${labels}} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ]
}

function escapeLabel(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
}
