/** What a test sees of a client: an attribute says whether somebody is logged in, and `app` acts. */
export async function show(open) {
  const here = location.origin + location.pathname
  const { issuer } = globalThis
  try {
    const app = await open({ issuer, here })
    if (app === undefined) return
    window.app = app
    document.documentElement.dataset.state = app.user ? 'logged in' : 'logged out'
  } catch (error) {
    document.documentElement.dataset.state = `failed: ${error?.message ?? error}`
  }
}
