// Traces come from outside. What the service worker makes of one gets a policy here, so that a file of a trace that is
// opened by itself has no access to the dashboard's origin, and a recorded page sends no form and runs no worker.
const respondWith = FetchEvent.prototype.respondWith
FetchEvent.prototype.respondWith = function (answer) {
  respondWith.call(this, Promise.resolve(answer).then(guardAnswer))
}

function guardAnswer(answer) {
  // Answers of the server have their own policy.
  if (answer.type !== 'default') return answer
  const headers = new Headers(answer.headers)
  const isRecordedPage = headers.has('content-security-policy')
  const policy = "connect-src 'none'; form-action 'none'; worker-src 'none'; manifest-src 'none'"
  headers.append('content-security-policy', isRecordedPage ? policy : "default-src 'none'; sandbox")
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers })
}
