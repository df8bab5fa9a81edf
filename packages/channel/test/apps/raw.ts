/** An app side without a protocol: it writes the bytes given in hex, and then stays, or exits with `leave`. */
import { writeSync } from 'node:fs'

const [hex = '', then] = process.argv.slice(2)
for (const part of hex.split(',')) writeSync(4, Buffer.from(part, 'hex'))
if (then !== 'leave') setTimeout(() => {}, 20_000)
