import { createAuth0Client } from '@auth0/auth0-spa-js'

/** As its README has it. The silent renewal is that by a frame, which asks for a web_message. */
export async function open({ issuer, here }) {
  const auth0 = await createAuth0Client({
    domain: issuer,
    clientId: 'spa',
    authorizationParams: { redirect_uri: here, audience: 'https://api.example/' },
  })
  if (location.search.includes('code=')) {
    await auth0.handleRedirectCallback()
    history.replaceState({}, '', here)
  } else await auth0.checkSession()
  const shown = async () => ({ token: await auth0.getTokenSilently(), claims: await auth0.getUser() })
  return {
    user: (await auth0.isAuthenticated()) ? await shown() : null,
    logIn: () => auth0.loginWithRedirect(),
    renew: async () => {
      await auth0.getTokenSilently({ cacheMode: 'off' })
      return shown()
    },
    logOut: () => auth0.logout({ logoutParams: { returnTo: here } }),
  }
}
