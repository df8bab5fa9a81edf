/** The requests of this process that are adding bytes to uploads, at most one for each upload. */
export interface RunningRequests {
  /** Runs `receive`, which receives the bytes. `cut` ends it when another request replaces this one. */
  run<Result>(uploadId: string, cut: () => void, receive: () => Promise<Result>): Promise<Result>
  /**
   * Cuts the request that adds to an upload and waits until its bytes are saved. A client that has lost its connection
   * comes back before the server notices, and must learn the true offset.
   */
  end(uploadId: string): Promise<void>
}

export function createRunningRequests(): RunningRequests {
  const running = new Map<string, { cut: () => void; ended: Promise<unknown> }>()

  const end = async (uploadId: string) => {
    for (let request = running.get(uploadId); request; request = running.get(uploadId)) {
      request.cut()
      await request.ended
    }
  }
  return {
    end,
    async run(uploadId, cut, receive) {
      await end(uploadId)
      const result = receive()
      const request = {
        cut,
        ended: result.then(
          () => {},
          () => {},
        ),
      }
      running.set(uploadId, request)
      try {
        return await result
      } finally {
        if (running.get(uploadId) === request) running.delete(uploadId)
      }
    },
  }
}
