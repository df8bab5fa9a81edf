import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseHooksAllow } from '../settings/hooks-allow.ts'
import { findUrlFault } from './check-url.ts'
import { isRefused } from './networks.ts'

function allow(text: string) {
  const parsed = parseHooksAllow(text)
  assert.ok(typeof parsed !== 'string')
  return parsed
}

const isRefusedBy = (text: string, address: string, port = 443) =>
  isRefused(allow(text), { address, host: 'name.example.com', port })

/** Splits a text at white space. */
const words = (text: string) => text.trim().split(/\s+/)

describe('Addresses of hooks', () => {
  it('are refused inside networks that no public host has, in every form that leads there', () => {
    for (const address of words(`
      0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
      172.31.255.255 192.0.0.1 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
      239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1 fc00::1 fd00:ec2::254 fe80::1
      fe80::1%eth0 fec0::1 ff02::1 2001:db8::1 100::1 4000::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1
      ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a00:1 64:ff9b:1::10.0.0.1 64:ff9b:1:7f00:0:100::
      2002:7f00:1:: 2002:a00:1::1 2002:a9fe:a9fe::1 2001:0:4136:e378:8000:63bf:80ff:fffe
      2001:0:7f00:1:8000:63bf:f7f7:f7f7 2001:2::1 3fff::1 5f00::1
    `)) {
      assert.ok(isRefusedBy('', address), address)
    }
  })

  it('are allowed on public hosts, also through the forms of IPv6 that hold an address', () => {
    for (const address of words(`
      1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.169.0.1 2606:4700::1111
      2a00:1450:4001::200e ::ffff:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b:1::8.8.8.8 2002:808:808::1
      2001:0:808:808:8000:63bf:f7f7:f7f7
    `)) {
      assert.ok(!isRefusedBy('', address), address)
    }
  })

  it('are allowed by address, network, port and name that the operator lists', () => {
    const list = '10.2.0.0/16, 127.0.0.1:8065, [fd00::]/8, [::1]:9000, fd12::1, chat.example.lan:443'
    assert.ok(!isRefusedBy(list, '10.2.3.4'))
    assert.ok(!isRefusedBy(list, '::ffff:10.2.3.4'))
    assert.ok(isRefusedBy(list, '10.3.0.1'))
    assert.ok(!isRefusedBy(list, '127.0.0.1', 8065))
    assert.ok(isRefusedBy(list, '127.0.0.1', 8066))
    assert.ok(!isRefusedBy(list, 'fd34::7'))
    assert.ok(!isRefusedBy(list, '::1', 9000))
    assert.ok(isRefusedBy(list, '::1', 9001))
    const named = { address: '192.168.0.7', host: 'chat.example.lan' }
    assert.ok(!isRefused(allow(list), { ...named, port: 443 }))
    assert.ok(isRefused(allow(list), { ...named, port: 80 }))
  })

  it('of metadata services, links, nobody and groups are refused whatever the operator lists', () => {
    const list = '0.0.0.0/0,[::]/0,name.example.com'
    assert.ok(!isRefusedBy(list, '127.0.0.1'))
    for (const address of words(`
      169.254.169.254 169.254.0.1 0.0.0.0 224.0.0.1 100.100.100.200 :: fe80::1 ff02::1 fd00:ec2::254
      ::ffff:169.254.169.254 64:ff9b::169.254.169.254 2002:a9fe:a9fe::1
    `)) {
      assert.ok(isRefusedBy(list, address), address)
    }
  })

  it('are checked as text when a hook is saved, in every spelling of a literal', () => {
    const none = allow('')
    for (const host of words(`
      127.0.0.1 127.1 0x7f.1 2130706433 0177.0.0.1 １２７.０.０.１ 127.0.0.1. 0 [::1] [::ffff:127.0.0.1]
      [64:ff9b::7f00:1] [fe80::1] 10.0.0.1 169.254.169.254 %31%32%37.1
    `)) {
      assert.equal(findUrlFault(none, `https://${host}/x`), 'is an address inside the network of the server', host)
    }
    assert.equal(findUrlFault(none, 'https://hooks.example.com/x'), undefined)
    assert.equal(findUrlFault(none, 'https://localhost/x'), undefined, 'names are not resolved')
    assert.match(findUrlFault(none, 'http://hooks.example.com/x') ?? '', /https/)
    assert.match(findUrlFault(none, 'https://user:secret@hooks.example.com/') ?? '', /password/)
    for (const text of ['', 'hooks.example.com', 'ftp://x.example.com', 'file:///etc/passwd', 'javascript:1']) {
      assert.notEqual(findUrlFault(none, text), undefined, text)
    }
  })

  it('may be plain HTTP where the operator lists them', () => {
    const list = allow('127.0.0.1:8065,chat.lan')
    assert.equal(findUrlFault(list, 'http://127.0.0.1:8065/'), undefined)
    assert.equal(findUrlFault(list, 'http://chat.lan/'), undefined)
    assert.notEqual(findUrlFault(list, 'http://127.0.0.1:8066/'), undefined)
    assert.notEqual(findUrlFault(list, 'http://8.8.8.8/'), undefined)
  })
})

describe('FAIRLEAD_HOOKS_ALLOW', () => {
  it('names the entry that it cannot read', () => {
    for (const text of words(`
      10.0.0.0/33 fd00::/129 [10.0.0.1] 10.0.0.1:0 10.0.0.1:70000 http://x -x.lan x.lan/8 1.2.3 [::1
      10.0.0.1/ *.lan x..lan
    `)) {
      const fault = parseHooksAllow(`chat.lan,${text}`)
      assert.ok(typeof fault === 'string' && fault.endsWith('is none'), text)
    }
  })
})
