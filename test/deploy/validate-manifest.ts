import assert from 'node:assert/strict'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import type { PodSpec } from '../processes/conditions.ts'

/** The parts of a manifest that tests look at. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  stringData?: Record<string, string>
  spec?: {
    template?: {
      spec?: PodSpec & {
        [name: string]: unknown
        containers: { [name: string]: unknown; env: { name: string; value: string }[] }[]
      }
    }
  }
}

const kinds: Record<string, (manifest: object) => { validate: () => void }> = {
  'apps/v1 Deployment': (manifest) => new Deployment(manifest),
  'networking.k8s.io/v1 Ingress': (manifest) => new Ingress(manifest),
  'policy/v1 PodDisruptionBudget': (manifest) => new PodDisruptionBudget(manifest),
  'v1 PersistentVolumeClaim': (manifest) => new PersistentVolumeClaim(manifest),
  'v1 Secret': (manifest) => new Secret(manifest),
  'v1 Service': (manifest) => new Service(manifest),
}

/** Compares a manifest with the schema of Kubernetes for its kind. */
export function validateManifest(manifest: Manifest): void {
  const kind = `${manifest.apiVersion} ${manifest.kind}`
  const create = kinds[kind] ?? assert.fail(`this test knows no ${kind}`)
  assert.doesNotThrow(() => create(manifest).validate(), kind)
}
