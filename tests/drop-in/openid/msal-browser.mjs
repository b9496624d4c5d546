import { PublicClientApplication } from '@azure/msal-browser'

/** As its README has it, with the protocol mode for providers that are not Microsoft's. */
export async function open({ issuer, here }) {
  const msal = new PublicClientApplication({
    auth: {
      clientId: 'spa',
      authority: issuer,
      knownAuthorities: [new URL(issuer).host],
      redirectUri: here,
      postLogoutRedirectUri: here,
    },
    system: { protocolMode: 'OIDC' },
  })
  await msal.initialize()
  const result = await msal.handleRedirectPromise()
  const request = { scopes: ['openid', 'profile', 'email', 'offline_access'] }
  const [account = result?.account] = msal.getAllAccounts()
  const shown = ({ accessToken, idTokenClaims }) => ({ token: accessToken, claims: idTokenClaims })
  return {
    user: account ? shown(result ?? (await msal.acquireTokenSilent({ ...request, account }))) : null,
    logIn: () => msal.loginRedirect(request),
    renew: async () => shown(await msal.acquireTokenSilent({ ...request, account, forceRefresh: true })),
    logOut: () => msal.logoutRedirect({ account }),
  }
}
