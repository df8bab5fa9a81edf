/**
 * Unpacks a compressed section into a temporary file, so that it is read in pages like any other.
 *
 * A section with the flag 0x800 begins with a header. 32-bit: 0 type · 4 size once decompressed · 8 alignment;
 * 64-bit: 0 type · 4 zero · 8 size (64) · 16 alignment (64). Type 1 is zlib, type 2 Zstandard. Older tools named the
 * section `.zdebug_…` and put "ZLIB" and the size (8, big-endian) before the data.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflate, createZstdDecompress } from 'node:zlib'
import type { FilePart } from '../bytes/file-part.ts'
import type { ExtractBudget } from '../dsym/extract-budget.ts'
import { openFileBytes } from '../bytes/file-bytes.ts'
import { SymbolsError } from '../symbols-error.ts'
import { type ElfSection, malformed, SectionFlag } from './elf-file.ts'
import { RecordBytes } from './record-bytes.ts'

/** Bytes of all sections of one upload once they are unpacked. */
const maxUnpackedBytes = 2 * 2 ** 30
const pieceBytes = 256 * 1024

export function isCompressed({ name, flags }: ElfSection): boolean {
  return (flags & SectionFlag.compressed) !== 0 || name.startsWith('.zdebug_')
}

/** Writes the bytes of a section to `path`, which must not exist. Throws `malformed-elf`, `too-large`. */
export async function unpackSection(
  section: ElfSection,
  is64: boolean,
  path: string,
  budget: ExtractBudget,
): Promise<FilePart & Disposable> {
  const { part } = section
  if (!part) throw malformed('Its bytes are not in the file.')
  const { headerLength, size, isZstd } = readHeader(section, part, is64)
  const maxBytes = budget.take({ uncompressedSize: size }, maxUnpackedBytes)
  const descriptor = openSync(path, 'wx')
  let written = 0
  const writer = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (written + chunk.length > maxBytes) return done(malformed('It holds more bytes than its header says.'))
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at)
      written += chunk.length
      done()
    },
  })
  try {
    await pipeline(
      Readable.from(listPieces(part, headerLength)),
      isZstd ? createZstdDecompress() : createInflate(),
      writer,
    )
  } catch (cause) {
    if (cause instanceof SymbolsError) throw cause
    throw new SymbolsError('malformed-elf', 'It cannot be decompressed.', { cause })
  } finally {
    closeSync(descriptor)
  }
  if (written !== size) throw malformed('It holds fewer bytes than its header says.')
  const source = openFileBytes(path)
  return { source, offset: 0, size, [Symbol.dispose]: () => source[Symbol.dispose]() }
}

function readHeader(section: ElfSection, part: FilePart, is64: boolean) {
  const head = new RecordBytes(part.source.read(part.offset, Math.min(24, part.size)), is64)
  if ((section.flags & SectionFlag.compressed) === 0) {
    if (head.length < 12 || head.bytes.toString('latin1', 0, 4) !== 'ZLIB') throw malformed('It has no header.')
    return { headerLength: 12, size: head.u32BigEndian(4) * 2 ** 32 + head.u32BigEndian(8), isZstd: false }
  }
  const type = head.u32(0)
  if (type !== 1 && type !== 2) throw malformed(`Its compression ${type} is not known.`)
  return { headerLength: is64 ? 24 : 12, size: head.word(4, 8), isZstd: type === 2 }
}

function* listPieces({ source, offset, size }: FilePart, start: number): Generator<Buffer> {
  for (let at = start; at < size; at += pieceBytes) yield source.read(offset + at, Math.min(pieceBytes, size - at))
}
