import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRequestTally } from './request-tally.ts'

describe('the tally of requests', () => {
  it('counts by method, route and status, with cumulative buckets as Prometheus reads them', () => {
    const tally = createRequestTally()
    for (const seconds of [0.0005, 0.001, 0.3, 700]) {
      tally.begin('GET', '/v1/builds/:buildId')
      tally.end('GET', '/v1/builds/:buildId', 200, seconds)
    }
    tally.begin('GET', '/v1/builds/:buildId')
    tally.begin('POST', '/a"b')
    tally.end('POST', '/a"b', 404, 0.01)
    const lines = new Set(tally.toText().split('\n'))
    const labels = 'method="GET",route="/v1/builds/:buildId",status="200"'
    for (const line of [
      `fairlead_http_requests_total{${labels}} 4`,
      `fairlead_http_request_duration_seconds_bucket{le="0.001",${labels}} 2`,
      `fairlead_http_request_duration_seconds_bucket{le="0.1",${labels}} 2`,
      `fairlead_http_request_duration_seconds_bucket{le="0.5",${labels}} 3`,
      `fairlead_http_request_duration_seconds_bucket{le="600",${labels}} 3`,
      `fairlead_http_request_duration_seconds_bucket{le="+Inf",${labels}} 4`,
      `fairlead_http_request_duration_seconds_count{${labels}} 4`,
      'fairlead_http_requests_in_flight{method="GET",route="/v1/builds/:buildId"} 1',
      'fairlead_http_requests_total{method="POST",route="/a\\"b",status="404"} 1',
      'fairlead_http_requests_in_flight{method="POST",route="/a\\"b"} 0',
    ]) {
      assert.ok(lines.has(line), line)
    }
  })
})
