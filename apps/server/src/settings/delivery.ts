/** The program that sends the bytes of a download after every check has passed. */
export type Delivery =
  /** The server itself. */
  | { kind: 'server' }
  /** The object store: the client is redirected to a presigned URL. */
  | { kind: 'redirect' }
  /** The front server: it is told in a header which file to send, and the client never sees that header. */
  | { kind: 'frontServer'; header: 'x-accel-redirect' | 'x-sendfile'; prefix: string }
