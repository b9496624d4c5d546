import '@angular/compiler'
import { provideHttpClient } from '@angular/common/http'
import { Component, inject, provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { OidcSecurityService, provideAuth } from 'angular-auth-oidc-client'
import { firstValueFrom } from 'rxjs'

/** As its README has it, with refresh tokens. */
export async function open({ issuer, here }) {
  document.body.appendChild(document.createElement('app-root'))
  let service
  class App {
    constructor() {
      service = inject(OidcSecurityService)
    }
  }
  const Root = Component({ selector: 'app-root', template: '' })(App)
  await bootstrapApplication(Root, {
    providers: [
      provideZonelessChangeDetection(),
      provideHttpClient(),
      provideAuth({
        config: {
          authority: issuer,
          redirectUrl: here,
          postLogoutRedirectUri: here,
          clientId: 'spa',
          scope: 'openid profile email offline_access',
          responseType: 'code',
          useRefreshToken: true,
          logLevel: 0,
        },
      }),
    ],
  })
  const shown = ({ accessToken, userData }) => ({ token: accessToken, claims: userData })
  const result = await firstValueFrom(service.checkAuth())
  if (result.errorMessage) throw new Error(result.errorMessage)
  return {
    user: result.isAuthenticated ? shown(result) : null,
    logIn: () => service.authorize(),
    renew: async () => shown(await firstValueFrom(service.forceRefreshSession())),
    logOut: () => firstValueFrom(service.logoff()),
  }
}
