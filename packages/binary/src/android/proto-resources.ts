/**
 * The resource table of an app bundle, in protocol buffers (aapt2's Resources.proto):
 *   ResourceTable  2 package: 1 id (1: number) · 3 type: 1 id (1: number) · 3 entry: 1 id (1: number) · 6 value
 *   ConfigValue    1 configuration · 2 value: 4 item (see proto-xml.ts)
 *   Configuration  3 locale · 18 density · 24 API level; the other fields narrow it to kinds of devices
 */
import { BinaryError } from '../binary-error.ts'
import { findProto, readProto } from './proto.ts'
import { readItem } from './proto-xml.ts'
import type { ResourceConfig } from './resource-config.ts'
import { type ConfiguredValue, createResources, type Resources } from './resources.ts'

const maxFields = 2_000_000

export function parseProtoResources(table: Buffer): Resources {
  const budget = { left: maxFields }

  function* readValues(id: number): Generator<ConfiguredValue> {
    for (const pack of withId(table, 2, id >>> 24, budget)) {
      for (const type of withId(pack, 3, (id >>> 16) & 0xff, budget)) {
        for (const entry of withId(type, 3, id & 0xffff, budget)) yield* readEntry(entry)
      }
    }
  }

  return createResources(readValues)
}

/** Yields the messages in field `number` whose own id, in their field 1, is `id`. */
function* withId(message: Buffer, number: number, id: number, budget: { left: number }): Generator<Buffer> {
  for (const field of readProto(message)) {
    if (--budget.left < 0) throw new BinaryError('too-large', 'Its resources take too many steps to search.')
    if (field.number !== number) continue
    const own = findProto(field.bytes, 1)
    if (own && (findProto(own.bytes, 1)?.value ?? 0) === id) yield field.bytes
  }
}

function* readEntry(entry: Buffer): Generator<ConfiguredValue> {
  for (const { number, bytes } of readProto(entry)) {
    if (number !== 6) continue
    const item = findProto(findProto(bytes, 2)?.bytes ?? Buffer.alloc(0), 4)
    const value = item && readItem(item.bytes)
    if (value) yield { config: readConfig(findProto(bytes, 1)?.bytes ?? Buffer.alloc(0)), value }
  }
}

function readConfig(message: Buffer): ResourceConfig {
  const config: ResourceConfig = { locale: '', density: 0, sdkVersion: 0, isPlain: true }
  for (const { number, value, bytes } of readProto(message)) {
    if (number === 3) config.locale = bytes.toString()
    else if (number === 18) config.density = value
    else if (number === 24) config.sdkVersion = value
    else config.isPlain = false
  }
  return config
}
