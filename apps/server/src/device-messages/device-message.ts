export interface DeviceMessageRequest {
  /** A CMS message in DER or BER. */
  message: Uint8Array
}

/** What a device says of itself. */
export interface DeviceFacts {
  udid: string
  product: string | null
  osVersion: string | null
  challenge: string | null
  /** Whether the certificate that signed comes from the device authority that Apple documents. */
  isAppleSigned: boolean
}

/** The facts, or why the message holds none. */
export type DeviceMessageAnswer = { facts: DeviceFacts } | { fault: string }
