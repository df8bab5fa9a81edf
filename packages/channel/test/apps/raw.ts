/** An app side that knows no protocol: writes the bytes it is given as hex, and stays, or leaves with `leave`. */
import { writeSync } from 'node:fs'

const [hex = '', then] = process.argv.slice(2)
for (const part of hex.split(',')) writeSync(4, Buffer.from(part, 'hex'))
if (then !== 'leave') setTimeout(() => {}, 20_000)
