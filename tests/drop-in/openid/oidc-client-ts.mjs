import { UserManager } from 'oidc-client-ts'

/** As its README has it; the refresh token renews, the session is watched, and a logout revokes. */
export async function open({ issuer, here }) {
  const manager = new UserManager({
    authority: issuer,
    client_id: 'spa',
    redirect_uri: here,
    post_logout_redirect_uri: here,
    silent_redirect_uri: here,
    scope: 'openid profile email',
    automaticSilentRenew: false,
    monitorSession: true,
    revokeTokensOnSignout: true,
  })
  if (location.search.includes('code=') || location.search.includes('error=')) {
    if (window.parent !== window) return manager.signinSilentCallback()
    await manager.signinCallback()
    history.replaceState({}, '', here)
  }
  const shown = (user) => user && { token: user.access_token, claims: user.profile }
  return {
    user: shown(await manager.getUser()),
    logIn: () => manager.signinRedirect(),
    logInSilently: async () => {
      await manager.removeUser()
      return shown(await manager.signinSilent())
    },
    renew: async () => shown(await manager.signinSilent()),
    logOut: () => manager.signoutRedirect(),
  }
}
