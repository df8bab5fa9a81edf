import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCertificates } from '../src/builds/certificates.ts'

const signed = (scheme: string, sha256: string) => ({ scheme, sha256, subject: `CN=${sha256}`, notAfter: null })

test('lists a certificate once with its schemes, and never calls v1 verified', () => {
  const certificates = [signed('v1', 'a'), signed('v1', 'b'), signed('v2', 'a'), signed('v3', 'a')]
  const list = listCertificates({ certificates, profile: null, integrity: 'verified' })
  assert.deepEqual(
    list.map(({ sha256, schemes }) => [sha256, schemes]),
    [
      ['a', 'v1, v2 (verified), v3 (verified)'],
      ['b', 'v1'],
    ],
  )
  const [first] = listCertificates({ certificates, profile: null, integrity: 'extracted' })
  assert.equal(first?.schemes, 'v1, v2, v3')
})
