import { PublicClientApplication } from '@azure/msal-browser'

/** With popups and frames, which come back to a page with MSAL's redirect bridge. */
export async function open({ issuer }) {
  const bridge = `${location.origin}/msal-bridge.html`
  const msal = new PublicClientApplication({
    auth: {
      clientId: 'spa',
      authority: issuer,
      knownAuthorities: [new URL(issuer).host],
      redirectUri: bridge,
      postLogoutRedirectUri: bridge,
    },
    system: { protocolMode: 'OIDC' },
  })
  await msal.initialize()
  const request = { scopes: ['openid', 'profile', 'email'] }
  const name = ({ account }) => account.username
  return {
    user: null,
    logIn: async () => name(await msal.loginPopup(request)),
    renew: async () => name(await msal.ssoSilent({ ...request, account: msal.getAllAccounts()[0] })),
    logOut: () => msal.logoutPopup({ account: msal.getAllAccounts()[0] }),
  }
}
