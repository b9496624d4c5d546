export function handleFetch({ event, request, fetch }) {
  const sandbox = event.request.headers.get('x-sandbox')
  if (sandbox && event.url.searchParams.get('forward') === 'header') request.headers.set('X-Sandbox', sandbox)
  return fetch(request)
}
