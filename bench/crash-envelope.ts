import { gzipSync } from 'node:zlib'

/** Invents an event of about 90 kB of JSON whose envelope has about 20 kB as gzip. `seed` chooses its stack. */
export function createEnvelope(seed: number): { event: object; plain: Buffer; gzip: Buffer } {
  let state = seed + 1
  const next = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
  const word = () => (next(2 ** 24) + 2 ** 24).toString(36)
  const frames = Array.from({ length: 60 }, () => ({
    module: `org.tarn.ledger.${word()}.${word()}`,
    function: word(),
    filename: `${word()}.kt`,
    lineno: next(900),
    in_app: true,
  }))
  const breadcrumbs = Array.from({ length: 100 }, (_, place) => ({
    timestamp: 1_790_000_000 + place,
    category: 'ui.click',
    message: Array.from({ length: 38 }, word).join(' '),
  }))
  const threads = Array.from({ length: 20 }, (_, id) => ({
    id,
    name: `worker-${id}`,
    stacktrace: { frames: frames.slice(id, id + 20) },
  }))
  const event = {
    platform: 'java',
    level: 'fatal',
    release: 'org.tarn.ledger@1.2+12',
    user: { id: word() },
    contexts: { os: { name: 'Android', version: '14' }, device: { model: 'Pixel 8' } },
    exception: {
      values: [{ type: 'IllegalStateException', module: 'java.lang', value: word(), stacktrace: { frames } }],
    },
    breadcrumbs,
    threads,
  }
  const text = `{}\n{"type":"event"}\n${JSON.stringify(event)}\n`
  return { event, plain: Buffer.from(text), gzip: gzipSync(text) }
}
