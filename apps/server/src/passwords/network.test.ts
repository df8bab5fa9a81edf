import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toNetwork } from './network.ts'

it('identifies an IPv4 client by its address and an IPv6 client by its /64 prefix', () => {
  assert.equal(toNetwork('192.0.2.7'), '192.0.2.7')
  assert.equal(toNetwork('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(toNetwork('2001:db8:0:1:2:3:4:5'), '2001:db8:0:1')
  assert.equal(toNetwork('2001:db8:0:1::5'), '2001:db8:0:1')
  assert.equal(toNetwork('2001:0DB8::5'), '2001:db8:0:0')
  assert.equal(toNetwork('2001:db8:0:1:ffff::'), '2001:db8:0:1')
  assert.equal(toNetwork('::1'), '0:0:0:0')
})
