import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseS3Location } from './s3-location.ts'

describe('the address of an object store', () => {
  it('names bucket, prefix, endpoint, region and the style of its paths', () => {
    assert.deepEqual(
      parseS3Location('s3://builds/team/a?endpoint=http://127.0.0.1:9000&region=default&pathStyle=true'),
      {
        bucket: 'builds',
        prefix: 'team/a/',
        endpoint: 'http://127.0.0.1:9000',
        publicEndpoint: null,
        region: 'default',
        pathStyle: true,
        timeoutSeconds: 30,
      },
    )
  })

  it('needs nothing but a bucket', () => {
    assert.deepEqual(parseS3Location('s3://builds'), {
      bucket: 'builds',
      prefix: '',
      endpoint: null,
      publicEndpoint: null,
      region: 'us-east-1',
      pathStyle: false,
      timeoutSeconds: 30,
    })
  })

  for (const [text, fault] of [
    ['https://builds', /must look like s3:/],
    ['s3://', /must (look like|name a bucket)/],
    ['s3://UPPER_case', /must name a bucket/],
    ['s3://key:secret@builds', /must hold no keys/],
    ['s3://builds?endpint=https://s3.example.com', /the parameter endpint/],
    ['s3://builds?endpoint=s3.example.com', /must have a value of endpoint/],
    ['s3://builds?publicEndpoint=ftp://s3.example.com', /must have a value of publicEndpoint/],
    ['s3://builds?pathStyle=yes', /pathStyle of true or false/],
    ['s3://builds?timeoutSeconds=0', /timeoutSeconds from 1 to 600/],
    ['s3://builds?timeoutSeconds=601', /timeoutSeconds from 1 to 600/],
    ['s3://builds/a%00b', /must have a prefix/],
  ] as const) {
    it(`is refused with the fault named: ${text}`, () => {
      const answer = parseS3Location(text)
      assert.ok(typeof answer === 'string')
      assert.match(answer, fault)
    })
  }
})
