import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

/** As its README has it. */
export function open({ issuer, here }) {
  const options = {
    authority: issuer,
    client_id: 'spa',
    redirect_uri: here,
    post_logout_redirect_uri: here,
    scope: 'openid profile email',
    automaticSilentRenew: false,
    onSigninCallback: () => history.replaceState({}, '', here),
  }
  const shown = (user) => user && { token: user.access_token, claims: user.profile }
  return new Promise((resolve, reject) => {
    const App = () => {
      const auth = useAuth()
      if (auth.error) reject(auth.error)
      if (!auth.isLoading && !auth.activeNavigator)
        resolve({
          user: shown(auth.user),
          logIn: () => auth.signinRedirect(),
          renew: async () => shown(await auth.signinSilent()),
          logOut: () => auth.signoutRedirect(),
        })
      return null
    }
    const root = document.body.appendChild(document.createElement('div'))
    createRoot(root).render(createElement(AuthProvider, options, createElement(App)))
  })
}
