import Keycloak from 'keycloak-js'

/** As its README has it, with the frames that look for a session. */
export async function open({ issuer, here }) {
  const [url, realm] = issuer.split('/realms/')
  const keycloak = new Keycloak({ url, realm, clientId: 'spa' })
  const silent = new URL('/silent.html', here).href
  const isLoggedIn = await keycloak.init({
    onLoad: 'check-sso',
    silentCheckSsoRedirectUri: silent,
    pkceMethod: 'S256',
  })
  const shown = () => ({
    token: keycloak.token,
    claims: keycloak.idTokenParsed,
    roles: keycloak.realmAccess?.roles,
    profile: keycloak.profile,
  })
  return {
    user: isLoggedIn ? shown() : null,
    logIn: () => keycloak.login({ redirectUri: here }),
    renew: async () => {
      await keycloak.updateToken(-1)
      await keycloak.loadUserInfo()
      await keycloak.loadUserProfile()
      return shown()
    },
    logOut: () => keycloak.logout({ redirectUri: here }),
  }
}
