import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeApk, writeDex } from '@fairlead/binary/fixture'
import { readAppFile } from '../read-app-file.ts'

type DexOptions = Parameters<typeof writeDex>[0] & object

const config = 'com.facebook.react.shop.BuildConfig'
const own = { classes: ['org.shop.Cart', config], withApplicationId: [config] }

async function read(...files: (DexOptions | Buffer)[]): Promise<string[]> {
  const dex = files.map((file, place) => ({
    name: `classes${place === 0 ? '' : place + 1}.dex`,
    data: Buffer.isBuffer(file) ? file : writeDex(file),
    deflate: true,
  }))
  const { ownPackages, errors } = await readAppFile(writeApk({ files: dex }))
  assert.deepEqual(errors, [])
  return ownPackages
}

describe('the own packages of an Android app', () => {
  it('are those of its BuildConfig, in whatever file of classes it is', async () => {
    assert.deepEqual(await read(own), ['com.facebook.react.shop'])
    assert.deepEqual(await read({ classes: ['okhttp3.OkHttpClient'] }, own), ['com.facebook.react.shop'])
  })

  it('are not those of libraries, whose BuildConfig has no APPLICATION_ID', async () => {
    assert.deepEqual(await read({ classes: ['com.facebook.react.BuildConfig', 'org.shop.Cart'] }), [])
  })

  it('are not those of other classes with such a field, or of a class without a package', async () => {
    const classes = ['org.shop.Cart', 'BuildConfig']
    assert.deepEqual(await read({ classes, withApplicationId: classes }), [])
    assert.deepEqual(await read(), [])
  })

  it('are found although another file of classes is damaged in any place', async () => {
    const bytes = writeDex({ classes: ['org.shop.App'] })
    const damages = [Buffer.from('dex\n'), bytes.subarray(0, 90), bytes.subarray(0, -3)]
    for (let at = 0; at < bytes.length; at += 3) {
      const damaged = Buffer.from(bytes)
      damaged.writeUInt8(0xff, at)
      damages.push(damaged)
    }
    for (const damaged of damages) assert.deepEqual(await read(damaged, own), ['com.facebook.react.shop'])
  })
})
