/**
 * The configuration that a resource value applies to. Offsets from its start:
 *   0 its own size · 4 mobile country and network · 8 language (2) · 10 region (2) · 12 orientation, touch
 *   14 density (u16) · 16 input · 20 screen size in pixels · 24 API level (u16) · 26 minor
 *   28 screen layout, UI mode, smallest width · 32 screen size in dp · 36 script (4) · 40 variant (8)
 *   48 round, colour, gender…
 * Language and region are two ASCII letters, or, if the first high bit is set, three letters packed in five bits each.
 */
import type { Bytes } from '../source/paged-bytes.ts'

export interface ResourceConfig {
  /** BCP 47 tag such as `de`, `pt-BR`, `zh-Hant-TW`; empty if the value applies to every locale. */
  locale: string
  /** Dots per inch; 0 for any, 0xfffe for "scales to any", 0xffff for "is not scaled". */
  density: number
  /** Lowest API level that the value applies to; 0 for all. */
  sdkVersion: number
  /** True if the value depends on no other device property, such as orientation, screen or network. */
  isPlain: boolean
}

export const anyDensity = 0xfffe
export const noDensity = 0xffff

export function readConfig(bytes: Bytes, start: number): ResourceConfig {
  const size = bytes.readUInt32LE(start)
  const config = bytes.subarray(start, start + Math.min(size, 64))
  return {
    locale: readLocale(config),
    density: config.readUInt16LE(14),
    sdkVersion: config.length >= 26 ? config.readUInt16LE(24) : 0,
    isPlain:
      isZero(config, 4, 8) &&
      isZero(config, 12, 14) &&
      isZero(config, 16, 24) &&
      isZero(config, 28, 36) &&
      isZero(config, 48, 64),
  }
}

function isZero(bytes: Buffer, start: number, end: number): boolean {
  return bytes.subarray(start, end).every((byte) => byte === 0)
}

function readLocale(config: Buffer): string {
  const language = unpack(config.subarray(8, 10), 0x61)
  if (language === '') return ''
  const script = readAscii(config.subarray(36, 40))
  const region = unpack(config.subarray(10, 12), 0x30)
  return [language, script, region, readAscii(config.subarray(40, 48))].filter((part) => part !== '').join('-')
}

function unpack(bytes: Buffer, base: number): string {
  const [first = 0, second = 0] = bytes
  if ((first & 0x80) === 0) return readAscii(bytes)
  const packed = [second & 0x1f, ((second & 0xe0) >> 5) | ((first & 0x03) << 3), (first & 0x7c) >> 2]
  return String.fromCharCode(...packed.map((code) => code + base))
}

/** Reads the letters and digits before the first zero byte, or an empty string if there are other characters. */
function readAscii(bytes: Buffer): string {
  const text = bytes.toString('latin1').replace(/\0.*$/s, '')
  return /^[A-Za-z0-9]*$/.test(text) ? text : ''
}
