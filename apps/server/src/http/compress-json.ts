import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { App } from './app.ts'

/** Answers below this many bytes fit into one network packet anyway. */
const threshold = 1024

/**
 * Compresses the answers of a scope for clients that accept it. It is for JSON: binaries are compressed already, and
 * pages that show secrets beside the text of others must stay as they are, since their compressed length could reveal
 * the secret (BREACH).
 */
export async function compressJson(app: App): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold,
    encodings: ['gzip'],
    zlibOptions: { level: constants.Z_BEST_SPEED + 2 },
  })
}
