/** The location of blobs in an S3-compatible object store: `s3://bucket/prefix?endpoint=…&region=…&pathStyle=true`. */
export interface S3Location {
  bucket: string
  /** The beginning of every object's key: empty, or text that ends in a slash. */
  prefix: string
  /** Null for Amazon's own endpoint of the region. */
  endpoint: string | null
  /** The endpoint that browsers and phones reach, where it differs from the server's. */
  publicEndpoint: string | null
  region: string
  /** Whether the bucket is part of the path of a request instead of its host name. */
  pathStyle: boolean
  /** How long the store may send nothing before an attempt of a request has failed. */
  timeoutSeconds: number
}

const parameters = ['endpoint', 'publicEndpoint', 'region', 'pathStyle', 'timeoutSeconds']
const defaultTimeout = '30'
const maxTimeoutSeconds = 600
/** S3's rule for bucket names, without its finer prohibitions, which the store checks itself. */
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixPattern = /^[A-Za-z0-9!_.*'()/-]{0,512}$/

/** Reads the address of an object store. A text names the first fault, as "must …". */
export function parseS3Location(text: string): S3Location | string {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:') return 'must look like s3://bucket?endpoint=https://s3.example.com&region=eu-central-1'
  if (!bucketPattern.test(url.hostname)) return 'must name a bucket: 3 to 63 lower-case letters, digits, dots, hyphens'
  if (url.username + url.password !== '') {
    return 'must hold no keys: they come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or the usual AWS settings'
  }
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) return `must not hold the parameter ${unknown}; there are ${parameters.join(', ')}`
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!prefixPattern.test(prefix)) return "must have a prefix of letters, digits and ! _ . * ' ( ) / - only"
  const endpoint = url.searchParams.get('endpoint')
  const publicEndpoint = url.searchParams.get('publicEndpoint')
  for (const [name, value] of Object.entries({ endpoint, publicEndpoint })) {
    if (value !== null && !isHttpOrigin(value)) return `must have a value of ${name} such as https://s3.example.com`
  }
  const pathStyle = url.searchParams.get('pathStyle') ?? 'false'
  if (pathStyle !== 'true' && pathStyle !== 'false') return 'must have a pathStyle of true or false'
  const timeout = url.searchParams.get('timeoutSeconds') ?? defaultTimeout
  const timeoutSeconds = /^[1-9]\d{0,2}$/.test(timeout) ? Number(timeout) : Infinity
  if (timeoutSeconds > maxTimeoutSeconds) return `must have timeoutSeconds from 1 to ${maxTimeoutSeconds}`
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    publicEndpoint,
    region: url.searchParams.get('region') ?? 'us-east-1',
    pathStyle: pathStyle === 'true',
    timeoutSeconds,
  }
}

function isHttpOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username + url.password === ''
}
