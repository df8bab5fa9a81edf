import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readStoreBody } from './read-envelope.ts'

it('the images of an event have the names of their files, and so has a mapping', () => {
  const uuid = (digit: number) => `8b2f7a6e-0c5d-4f10-9f51-6f3b2a9d7c0${digit}`
  const images = [
    { type: 'proguard', uuid: uuid(1) },
    { type: 'macho', debug_id: uuid(2), code_file: '/var/containers/Shop.app/Shop' },
    { type: 'elf', debug_id: uuid(3), name: 'libcart.so' },
  ]
  const [crash] = readStoreBody(Buffer.from(JSON.stringify({ debug_meta: { images } }))).crashes
  assert.deepEqual(
    crash?.images.map(({ name }) => name),
    ['mapping.txt', 'Shop', 'libcart.so'],
  )
})
